-- Version 1. What a person did lives in tag, photo_tag, judgement, suggestion, metric, setting and journal;
-- root, photo and file record what was found on disk.

CREATE TABLE root (
    id       INTEGER PRIMARY KEY,
    path     BLOB NOT NULL UNIQUE,           -- os.fsencode of the absolute path: a name need not be UTF-8
    removed  INTEGER NOT NULL DEFAULT 0      -- 1: taken out of the library; its files stay known, as missing
) STRICT;

CREATE TABLE photo (
    id            INTEGER PRIMARY KEY,
    content_hash  TEXT NOT NULL UNIQUE,      -- BLAKE2b-128, hexadecimal
    bytes         INTEGER NOT NULL,
    width         INTEGER,                   -- pixels, right way up; NULL until decoded
    height        INTEGER,
    taken         TEXT,                      -- ISO 8601 without zone, from EXIF
    failure       TEXT,                      -- why it could not be decoded
    added_at      TEXT NOT NULL
) STRICT;

-- Few photos fail, and not all know when they were taken.
CREATE INDEX photo_failure ON photo(id) WHERE failure IS NOT NULL;
CREATE INDEX photo_undescribed ON photo(id) WHERE width IS NULL;
CREATE INDEX photo_taken ON photo(taken) WHERE taken IS NOT NULL;

-- A photo keeps its id when its only file is edited; this is where to find it by what it was before, should the
-- old content turn up again elsewhere (renamed first, edited then).
CREATE TABLE former_content (
    content_hash  TEXT PRIMARY KEY,
    photo_id      INTEGER NOT NULL REFERENCES photo(id)
) STRICT, WITHOUT ROWID;

-- Without rowid: the table itself lies in the order of the paths, which is the order of the grid.
CREATE TABLE file (
    root_id   INTEGER NOT NULL REFERENCES root(id),
    path      BLOB NOT NULL,                 -- os.fsencode of the path relative to the root
    folder    BLOB NOT NULL,                 -- the part of path before its last /; empty: the root itself
    photo_id  INTEGER REFERENCES photo(id),  -- NULL: the file could not be read
    bytes     INTEGER NOT NULL,
    mtime_ns  INTEGER NOT NULL,
    failure   TEXT,                          -- why it could not be read (permission, I/O error)
    state     TEXT NOT NULL CHECK (state IN ('present', 'missing')),
    PRIMARY KEY (root_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_photo ON file(photo_id, state);
CREATE INDEX file_folder ON file(root_id, folder, state, photo_id);
CREATE INDEX file_missing ON file(photo_id) WHERE state = 'missing';
CREATE INDEX file_failure ON file(failure) WHERE failure IS NOT NULL;

-- Where a photo without any file was last: its path holds another photo now.
CREATE TABLE former_place (
    photo_id  INTEGER PRIMARY KEY REFERENCES photo(id),
    root_id   INTEGER NOT NULL REFERENCES root(id),
    path      BLOB NOT NULL
) STRICT;
CREATE INDEX former_place_root ON former_place(root_id);

-- A dictionary of names; a tag exists for a person as long as a photo carries it, so that undo need not touch this.
CREATE TABLE tag (
    id    INTEGER PRIMARY KEY,
    name  TEXT NOT NULL UNIQUE               -- the whole path: animal/dog
) STRICT;

CREATE TABLE photo_tag (
    photo_id  INTEGER NOT NULL REFERENCES photo(id),
    tag_id    INTEGER NOT NULL REFERENCES tag(id),
    source    TEXT NOT NULL CHECK (source IN ('hand', 'accepted', 'import')),
    at        TEXT NOT NULL,
    PRIMARY KEY (photo_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX photo_tag_tag ON photo_tag(tag_id);
CREATE INDEX photo_tag_recent ON photo_tag(tag_id, at) WHERE source = 'hand';

CREATE TABLE judgement (
    focal_id  INTEGER NOT NULL REFERENCES photo(id),
    other_id  INTEGER NOT NULL REFERENCES photo(id),
    verdict   TEXT NOT NULL CHECK (verdict IN ('similar', 'dissimilar')),
    at        TEXT NOT NULL,
    PRIMARY KEY (focal_id, other_id),
    CHECK (focal_id <> other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX judgement_other ON judgement(other_id);

CREATE TABLE suggestion (
    photo_id    INTEGER NOT NULL REFERENCES photo(id),
    tag_id      INTEGER NOT NULL REFERENCES tag(id),
    confidence  REAL NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'rejected')),
    witnesses   TEXT NOT NULL,               -- JSON array of photo ids, nearest first
    metric_id   INTEGER REFERENCES metric(id) ON DELETE SET NULL,
    at          TEXT NOT NULL,
    PRIMARY KEY (photo_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX suggestion_tag ON suggestion(tag_id, state);
CREATE INDEX suggestion_open ON suggestion(photo_id) WHERE state = 'open';
CREATE INDEX suggestion_metric ON suggestion(metric_id) WHERE metric_id IS NOT NULL;

-- Ids are never given twice, so that nothing kept under the id of an undone metric is taken for a later one's.
CREATE TABLE metric (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    name            TEXT NOT NULL UNIQUE,
    title           TEXT NOT NULL,
    learner         TEXT NOT NULL,
    version         INTEGER NOT NULL,
    file            TEXT,                    -- in the folder metrics/; NULL: needs none
    at              TEXT NOT NULL,           -- when its side information was read
    judgements      INTEGER NOT NULL,
    tagged          INTEGER NOT NULL
) STRICT;
INSERT INTO metric VALUES (1, 'euclidean', 'Euclidean', 'euclidean', 1, NULL, '1970-01-01T00:00:00.000000', 0, 0);

CREATE TABLE setting (
    name   TEXT PRIMARY KEY,
    value  TEXT NOT NULL                     -- JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       TEXT NOT NULL,
    label    TEXT NOT NULL,
    undone   INTEGER NOT NULL DEFAULT 0,     -- 1: undone, may be redone; 2: can be restored no more, passed over
    changes  TEXT NOT NULL                   -- JSON: [[table, key, before or null, after or null], ...], see journal.py
) STRICT;
CREATE INDEX journal_undone ON journal(id) WHERE undone = 1;
