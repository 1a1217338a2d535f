-- Version 4. The rows of root, photo, file, former_content and former_place carry a digest too: a bit that changes in a
-- content hash or a path would move tags to another photo. What undo takes back next is found at once however many
-- steps were undone.

CREATE TABLE new_root (
    id       INTEGER PRIMARY KEY,
    path     BLOB NOT NULL UNIQUE,           -- os.fsencode of the absolute path: a name need not be UTF-8
    removed  INTEGER NOT NULL DEFAULT 0,     -- 1: taken out of the library; its files stay known, as missing
    digest   INTEGER NOT NULL AS (row_digest(id, path, removed)) STORED
) STRICT;
INSERT INTO new_root SELECT * FROM root;
DROP TABLE root;
ALTER TABLE new_root RENAME TO root;

CREATE TABLE new_photo (
    id            INTEGER PRIMARY KEY,
    content_hash  TEXT NOT NULL UNIQUE,      -- BLAKE2b-128, hexadecimal
    bytes         INTEGER NOT NULL,
    width         INTEGER,                   -- pixels, right way up; NULL until decoded
    height        INTEGER,
    taken         TEXT,                      -- ISO 8601 without zone, from EXIF
    failure       TEXT,                      -- why it could not be decoded
    added_at      TEXT NOT NULL,
    digest        INTEGER NOT NULL AS (row_digest(
        id, CAST(content_hash AS BLOB), bytes, width, height, CAST(taken AS BLOB), CAST(failure AS BLOB),
        CAST(added_at AS BLOB)
    )) STORED
) STRICT;
INSERT INTO new_photo SELECT * FROM photo;
DROP TABLE photo;
ALTER TABLE new_photo RENAME TO photo;
CREATE INDEX photo_failure ON photo(id) WHERE failure IS NOT NULL;
CREATE INDEX photo_undescribed ON photo(id) WHERE width IS NULL;
CREATE INDEX photo_taken ON photo(taken) WHERE taken IS NOT NULL;

CREATE TABLE new_former_content (
    content_hash  TEXT PRIMARY KEY,
    photo_id      INTEGER NOT NULL REFERENCES photo(id),
    digest        INTEGER NOT NULL AS (row_digest(CAST(content_hash AS BLOB), photo_id)) STORED
) STRICT, WITHOUT ROWID;
INSERT INTO new_former_content SELECT * FROM former_content;
DROP TABLE former_content;
ALTER TABLE new_former_content RENAME TO former_content;

CREATE TABLE new_file (
    root_id   INTEGER NOT NULL REFERENCES root(id),
    path      BLOB NOT NULL,                 -- os.fsencode of the path relative to the root
    folder    BLOB NOT NULL,                 -- the part of path before its last /; empty: the root itself
    photo_id  INTEGER REFERENCES photo(id),  -- NULL: the file could not be read
    bytes     INTEGER NOT NULL,
    mtime_ns  INTEGER NOT NULL,
    failure   TEXT,                          -- why it could not be read (permission, I/O error)
    state     TEXT NOT NULL CHECK (state IN ('present', 'missing')),
    digest    INTEGER NOT NULL AS (row_digest(
        root_id, path, folder, photo_id, bytes, mtime_ns, CAST(failure AS BLOB), CAST(state AS BLOB)
    )) STORED,
    PRIMARY KEY (root_id, path)
) STRICT, WITHOUT ROWID;
INSERT INTO new_file SELECT * FROM file;
DROP TABLE file;
ALTER TABLE new_file RENAME TO file;
CREATE INDEX file_photo ON file(photo_id, state);
CREATE INDEX file_folder ON file(root_id, folder, state, photo_id);
CREATE INDEX file_missing ON file(photo_id) WHERE state = 'missing';
CREATE INDEX file_failure ON file(failure) WHERE failure IS NOT NULL;

CREATE TABLE new_former_place (
    photo_id  INTEGER PRIMARY KEY REFERENCES photo(id),
    root_id   INTEGER NOT NULL REFERENCES root(id),
    path      BLOB NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, root_id, path)) STORED
) STRICT;
INSERT INTO new_former_place SELECT * FROM former_place;
DROP TABLE former_place;
ALTER TABLE new_former_place RENAME TO former_place;
CREATE INDEX former_place_root ON former_place(root_id);

CREATE INDEX journal_done ON journal(id) WHERE undone = 0;
