-- Version 3. Ratings and labels; photos that a person has let go; what other programs wrote into photos and sidecars.

CREATE TABLE mark (
    photo_id  INTEGER PRIMARY KEY REFERENCES photo(id),
    rating    INTEGER CHECK (rating BETWEEN -1 AND 5 AND rating <> 0),   -- -1: rejected; NULL: none
    label     TEXT,
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, rating, CAST(label AS BLOB), CAST(at AS BLOB))) STORED,
    CHECK (rating IS NOT NULL OR label IS NOT NULL)
) STRICT;
CREATE INDEX mark_rating ON mark(rating);

CREATE TABLE forgotten (
    photo_id  INTEGER PRIMARY KEY REFERENCES photo(id),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, CAST(at AS BLOB))) STORED
) STRICT;

-- What was read from a photo and what lies beside it. Camera and the like can be read again; the tags, rating and
-- label that were taken over tell what is new at the next reading, so that what a person took off does not come back.
CREATE TABLE information (
    photo_id      INTEGER PRIMARY KEY REFERENCES photo(id),
    content_hash  TEXT NOT NULL,             -- of what was read; it is read again where the photo has another
    sidecars      TEXT NOT NULL,             -- names, sizes and times of the sidecars that were read; empty: none
    camera        TEXT,
    lens          TEXT,
    exposure      TEXT,                      -- for a person
    latitude      REAL,                      -- degrees
    longitude     REAL,
    tags          TEXT NOT NULL,             -- JSON array: what was taken over last
    rating        INTEGER,
    label         TEXT,
    waiting       TEXT,                      -- JSON: [tags, rating, label] read since and not taken over yet
    digest        INTEGER NOT NULL AS (row_digest(
        photo_id, CAST(content_hash AS BLOB), CAST(sidecars AS BLOB), CAST(camera AS BLOB), CAST(lens AS BLOB),
        CAST(exposure AS BLOB), latitude, longitude, CAST(tags AS BLOB), rating, CAST(label AS BLOB),
        CAST(waiting AS BLOB)
    )) STORED
) STRICT;
CREATE INDEX information_camera ON information(camera) WHERE camera IS NOT NULL;
CREATE INDEX information_waiting ON information(photo_id) WHERE waiting IS NOT NULL;

-- Tags, rating and label as both sides had them when a photo and one of its sidecars were last made alike.
CREATE TABLE exchange (
    photo_id      INTEGER NOT NULL REFERENCES photo(id),
    sidecar       BLOB NOT NULL,             -- os.fsencode of the absolute path
    content_hash  TEXT NOT NULL,             -- BLAKE2b-128 of the sidecar, hexadecimal; empty: unknown
    tags          TEXT NOT NULL,             -- JSON array
    rating        INTEGER,
    label         TEXT,
    at            TEXT NOT NULL,
    digest        INTEGER NOT NULL AS (row_digest(
        photo_id, sidecar, CAST(content_hash AS BLOB), CAST(tags AS BLOB), rating, CAST(label AS BLOB),
        CAST(at AS BLOB)
    )) STORED,
    PRIMARY KEY (photo_id, sidecar)
) STRICT, WITHOUT ROWID;
