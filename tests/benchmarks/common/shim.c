/* Wraps C library calls on the files of one folder: makes the nth call fail, or logs all calls.

   Compiled and loaded by shim.py (LD_PRELOAD). Only calls on files in the folder given to shim_begin are affected. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN = 1, WRITE = 2, SYNC = 4, RENAME = 8, TRUNCATE = 16, UNLINK = 32, FOLDER_SYNC = 64, MARK = 128 };
#define MOST 4096

static char folder[PATH_MAX];
static size_t folder_length;
static int active, kinds, error_number, sticky, log_file = -1;
static long left = -1, seen;
static char *names[MOST]; /* path in the folder by file descriptor, or NULL */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name, ...) static __typeof__(__VA_ARGS__) real; if (!real) real = (__typeof__(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static ssize_t real_write(int fd, const void *data, size_t size) {
    REAL("write", ssize_t (*)(int, const void *, size_t));
    return real(fd, data, size);
}

/* One record: kind, lengths, offset, two names, data. */
static void note(int kind, const char *a, const char *b, int64_t offset, const void *data, int64_t size) {
    if (log_file < 0) return;
    int64_t head[5] = {kind, a ? (int64_t)strlen(a) : 0, b ? (int64_t)strlen(b) : 0, offset, size};
    int saved = errno;
    real_write(log_file, head, sizeof head);
    if (a) real_write(log_file, a, head[1]);
    if (b) real_write(log_file, b, head[2]);
    if (data && size > 0) real_write(log_file, data, size);
    errno = saved;
}

void shim_begin(const char *path, int which, long n, int error, int goes_on, const char *log) {
    pthread_mutex_lock(&lock);
    snprintf(folder, sizeof folder, "%s", path);
    folder_length = strlen(folder);
    kinds = which; left = n; error_number = error; sticky = goes_on; seen = 0;
    if (log) {
        REAL("open", int (*)(const char *, int, ...));
        log_file = real(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    active = 1;
    pthread_mutex_unlock(&lock);
}

void shim_end(void) { active = 0; }

long shim_seen(void) { return seen; }

void shim_mark(long number) {
    pthread_mutex_lock(&lock);
    note(MARK, NULL, NULL, number, NULL, 0);
    pthread_mutex_unlock(&lock);
}

static const char *inside(const char *path) {
    static __thread char whole[PATH_MAX];
    if (!active || !path) return NULL;
    if (path[0] != '/') {
        if (!getcwd(whole, sizeof whole)) return NULL;
        size_t length = strlen(whole);
        snprintf(whole + length, sizeof whole - length, "/%s", path);
        path = whole;
    }
    if (strncmp(path, folder, folder_length)) return NULL;
    if (path[folder_length] == 0) return path + folder_length;
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

/* Return whether this call fails; the caller holds the lock. */
static int fails(int kind, const char *name) {
    if (!active || !(kinds & kind)) return 0;
    size_t length = name ? strlen(name) : 0;
    if (length > 4 && !strcmp(name + length - 4, "-shm")) return 0; /* shared memory, not on disk */
    seen++;
    if (left < 0) return 0;
    if (left > 0) { left--; return 0; }
    if (!sticky) left = -1;
    errno = error_number;
    return 1;
}

static void opened(int fd, const char *name, int flags) {
    if (fd < 0 || fd >= MOST) return;
    free(names[fd]);
    names[fd] = name ? strdup(name) : NULL;
    if (name && (flags & (O_CREAT | O_TRUNC))) note(OPEN, name, NULL, flags & O_TRUNC, NULL, 0);
}

static int open_any(int at, const char *path, int flags, mode_t mode) {
    REAL("openat", int (*)(int, const char *, int, ...));
    const char *name = at == AT_FDCWD || path[0] == '/' ? inside(path) : NULL;
    if (!name) {
        int fd = real(at, path, flags, mode);
        if (active && fd >= 0 && fd < MOST) { free(names[fd]); names[fd] = NULL; }
        return fd;
    }
    pthread_mutex_lock(&lock);
    int fd = -1;
    char *kept = strdup(name);
    if (!fails(OPEN, kept)) {
        fd = real(at, path, flags, mode);
        opened(fd, kept, flags);
    }
    free(kept);
    pthread_mutex_unlock(&lock);
    return fd;
}

#define MODE(flags) mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
int open(const char *path, int flags, ...) { MODE(flags) return open_any(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_any(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_any(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_any(at, path, flags, mode); }

static const char *name_of(int fd) { return active && fd >= 0 && fd < MOST ? names[fd] : NULL; }

int close(int fd) {
    REAL("close", int (*)(int));
    if (active && fd >= 0 && fd < MOST && names[fd]) {
        pthread_mutex_lock(&lock);
        free(names[fd]);
        names[fd] = NULL;
        pthread_mutex_unlock(&lock);
    }
    return real(fd);
}

ssize_t write(int fd, const void *data, size_t size) {
    const char *name = name_of(fd);
    if (!name) return real_write(fd, data, size);
    pthread_mutex_lock(&lock);
    ssize_t done = -1;
    if (!fails(WRITE, name)) {
        off_t offset = fcntl(fd, F_GETFL) & O_APPEND ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
        done = real_write(fd, data, size);
        if (done > 0) note(WRITE, name, NULL, offset, data, done);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t));
    const char *name = name_of(fd);
    if (!name) return real(fd, data, size, offset);
    pthread_mutex_lock(&lock);
    ssize_t done = -1;
    if (!fails(WRITE, name)) {
        done = real(fd, data, size, offset);
        if (done > 0) note(WRITE, name, NULL, offset, data, done);
    }
    pthread_mutex_unlock(&lock);
    return done;
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }

static int sync_any(int fd, const char *which) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, which);
    const char *name = name_of(fd);
    if (!name) return real(fd);
    pthread_mutex_lock(&lock);
    int done = -1;
    struct stat status;
    int is_folder = !fstat(fd, &status) && S_ISDIR(status.st_mode);
    if (!fails(SYNC, name)) {
        done = 0; /* tests need not wait for the disk */
        note(is_folder ? FOLDER_SYNC : SYNC, name, NULL, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return done;
}
int fsync(int fd) { return sync_any(fd, "fsync"); }
int fdatasync(int fd) { return sync_any(fd, "fdatasync"); }

int ftruncate64(int fd, off64_t size) {
    REAL("ftruncate64", int (*)(int, off64_t));
    const char *name = name_of(fd);
    if (!name) return real(fd, size);
    pthread_mutex_lock(&lock);
    int done = -1;
    if (!fails(TRUNCATE, name)) {
        done = real(fd, size);
        if (!done) note(TRUNCATE, name, NULL, size, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int rename(const char *from, const char *to) {
    REAL("rename", int (*)(const char *, const char *));
    const char *found = inside(from);
    char *a = found ? strdup(found) : NULL;
    found = inside(to);
    char *b = found ? strdup(found) : NULL;
    int done = -1;
    pthread_mutex_lock(&lock);
    if (!(a || b) || !fails(RENAME, b ? b : a)) {
        done = real(from, to);
        if (!done && a && b) note(RENAME, a, b, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    free(a);
    free(b);
    return done;
}

int unlink(const char *path) {
    REAL("unlink", int (*)(const char *));
    const char *name = inside(path);
    if (!name) return real(path);
    pthread_mutex_lock(&lock);
    char *kept = strdup(name);
    int done = -1;
    if (!fails(UNLINK, kept)) {
        done = real(path);
        if (!done) note(UNLINK, kept, NULL, 0, NULL, 0);
    }
    free(kept);
    pthread_mutex_unlock(&lock);
    return done;
}
