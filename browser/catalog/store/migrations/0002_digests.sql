-- Version 2. Every row that holds what a person did carries a digest of its columns, so that a check notices a byte
-- that has changed on the disk; and a count of commits, which is kept outside the file too, tells of a lost log.
-- row_digest is a function of the program; it takes text as bytes, because damaged text may be no text.

CREATE TABLE new_tag (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,              -- the whole path: animal/dog
    digest  INTEGER NOT NULL AS (row_digest(id, CAST(name AS BLOB))) STORED
) STRICT;
INSERT INTO new_tag SELECT * FROM tag;
DROP TABLE tag;
ALTER TABLE new_tag RENAME TO tag;

CREATE TABLE new_photo_tag (
    photo_id  INTEGER NOT NULL REFERENCES photo(id),
    tag_id    INTEGER NOT NULL REFERENCES tag(id),
    source    TEXT NOT NULL CHECK (source IN ('hand', 'accepted', 'import')),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, tag_id, CAST(source AS BLOB), CAST(at AS BLOB))) STORED,
    PRIMARY KEY (photo_id, tag_id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_photo_tag SELECT * FROM photo_tag;
DROP TABLE photo_tag;
ALTER TABLE new_photo_tag RENAME TO photo_tag;
CREATE INDEX photo_tag_tag ON photo_tag(tag_id);
CREATE INDEX photo_tag_recent ON photo_tag(tag_id, at) WHERE source = 'hand';

CREATE TABLE new_judgement (
    focal_id  INTEGER NOT NULL REFERENCES photo(id),
    other_id  INTEGER NOT NULL REFERENCES photo(id),
    verdict   TEXT NOT NULL CHECK (verdict IN ('similar', 'dissimilar')),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(focal_id, other_id, CAST(verdict AS BLOB), CAST(at AS BLOB))) STORED,
    PRIMARY KEY (focal_id, other_id),
    CHECK (focal_id <> other_id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_judgement SELECT * FROM judgement;
DROP TABLE judgement;
ALTER TABLE new_judgement RENAME TO judgement;
CREATE INDEX judgement_other ON judgement(other_id);

CREATE TABLE new_metric (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    name            TEXT NOT NULL UNIQUE,
    title           TEXT NOT NULL,
    learner         TEXT NOT NULL,
    version         INTEGER NOT NULL,
    file            TEXT,                    -- in the folder metrics/; NULL: needs none
    at              TEXT NOT NULL,           -- when its side information was read
    judgements      INTEGER NOT NULL,
    tagged          INTEGER NOT NULL,
    digest          INTEGER NOT NULL AS (row_digest(
        id, CAST(name AS BLOB), CAST(title AS BLOB), CAST(learner AS BLOB), version, CAST(file AS BLOB),
        CAST(at AS BLOB), judgements, tagged
    )) STORED
) STRICT;
INSERT INTO new_metric SELECT * FROM metric;
DELETE FROM sqlite_sequence WHERE name = 'new_metric';  -- ids of undone metrics are not given again
INSERT INTO sqlite_sequence SELECT 'new_metric', seq FROM sqlite_sequence WHERE name = 'metric';
DROP TABLE metric;
ALTER TABLE new_metric RENAME TO metric;

CREATE TABLE new_suggestion (
    photo_id    INTEGER NOT NULL REFERENCES photo(id),
    tag_id      INTEGER NOT NULL REFERENCES tag(id),
    confidence  REAL NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'rejected')),
    witnesses   TEXT NOT NULL,               -- JSON array of photo ids, nearest first
    metric_id   INTEGER REFERENCES metric(id) ON DELETE SET NULL,
    at          TEXT NOT NULL,
    digest      INTEGER NOT NULL AS (row_digest(
        photo_id, tag_id, confidence, CAST(state AS BLOB), CAST(witnesses AS BLOB), metric_id, CAST(at AS BLOB)
    )) STORED,
    PRIMARY KEY (photo_id, tag_id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_suggestion SELECT * FROM suggestion;
DROP TABLE suggestion;
ALTER TABLE new_suggestion RENAME TO suggestion;
CREATE INDEX suggestion_tag ON suggestion(tag_id, state);
CREATE INDEX suggestion_open ON suggestion(photo_id) WHERE state = 'open';
CREATE INDEX suggestion_metric ON suggestion(metric_id) WHERE metric_id IS NOT NULL;

CREATE TABLE new_setting (
    name    TEXT PRIMARY KEY,
    value   TEXT NOT NULL,                   -- JSON
    digest  INTEGER NOT NULL AS (row_digest(CAST(name AS BLOB), CAST(value AS BLOB))) STORED
) STRICT, WITHOUT ROWID;
INSERT INTO new_setting SELECT * FROM setting;
DROP TABLE setting;
ALTER TABLE new_setting RENAME TO setting;

CREATE TABLE new_journal (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       TEXT NOT NULL,
    label    TEXT NOT NULL,
    undone   INTEGER NOT NULL DEFAULT 0,     -- 1: undone, may be redone; 2: can be restored no more, passed over
    changes  TEXT NOT NULL,                  -- JSON: [[table, key, before or null, after or null], ...], see journal.py
    digest   INTEGER NOT NULL AS (row_digest(
        id, CAST(at AS BLOB), CAST(label AS BLOB), undone, CAST(changes AS BLOB)
    )) STORED
) STRICT;
INSERT INTO new_journal SELECT * FROM journal;
DELETE FROM sqlite_sequence WHERE name = 'new_journal';
INSERT INTO sqlite_sequence SELECT 'new_journal', seq FROM sqlite_sequence WHERE name = 'journal';
DROP TABLE journal;
ALTER TABLE new_journal RENAME TO journal;
CREATE INDEX journal_undone ON journal(id) WHERE undone = 1;

-- How often this catalogue was committed to; the file catalog.commits beside it says the same and is written last.
CREATE TABLE commit_count (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    token    TEXT NOT NULL,                  -- which catalogue this is; empty in a new one and in a backup
    commits  INTEGER NOT NULL
) STRICT;
INSERT INTO commit_count VALUES (1, '', 0);
