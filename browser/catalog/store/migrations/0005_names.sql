-- Version 5. Searches and trails that are kept by name; other names of tags; what a person confirmed; the part of a photo that
-- counts; how well metrics did.

CREATE TABLE saved_search (
    name    TEXT PRIMARY KEY,
    query   TEXT NOT NULL,                     -- as it stands in the filter's field
    at      TEXT NOT NULL,
    digest  INTEGER NOT NULL AS (row_digest(CAST(name AS BLOB), CAST(query AS BLOB), CAST(at AS BLOB))) STORED
) STRICT, WITHOUT ROWID;

CREATE TABLE trail (
    name    TEXT PRIMARY KEY,
    steps   TEXT NOT NULL,                     -- JSON
    at      TEXT NOT NULL,
    digest  INTEGER NOT NULL AS (row_digest(CAST(name AS BLOB), CAST(steps AS BLOB), CAST(at AS BLOB))) STORED
) STRICT, WITHOUT ROWID;

-- Typing the name gives the tag. No other tag has it.
CREATE TABLE alias (
    name    TEXT PRIMARY KEY,
    tag_id  INTEGER NOT NULL REFERENCES tag(id),
    at      TEXT NOT NULL,
    digest  INTEGER NOT NULL AS (row_digest(CAST(name AS BLOB), tag_id, CAST(at AS BLOB))) STORED
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_tag ON alias(tag_id);

-- A tag and a judgement that seemed to contradict the others, and are right.
CREATE TABLE confirmed_tag (
    photo_id  INTEGER NOT NULL REFERENCES photo(id),
    tag_id    INTEGER NOT NULL REFERENCES tag(id),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, tag_id, CAST(at AS BLOB))) STORED,
    PRIMARY KEY (photo_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX confirmed_tag_tag ON confirmed_tag(tag_id);

CREATE TABLE confirmed_judgement (
    focal_id  INTEGER NOT NULL REFERENCES photo(id),
    other_id  INTEGER NOT NULL REFERENCES photo(id),
    verdict   TEXT NOT NULL CHECK (verdict IN ('similar', 'dissimilar')),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(focal_id, other_id, CAST(verdict AS BLOB), CAST(at AS BLOB))) STORED,
    PRIMARY KEY (focal_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX confirmed_judgement_other ON confirmed_judgement(other_id);

-- "This part" of a photo, in shares of its width and height, 0..1, right way up.
CREATE TABLE region (
    photo_id  INTEGER PRIMARY KEY REFERENCES photo(id),
    x0        REAL NOT NULL,
    y0        REAL NOT NULL,
    x1        REAL NOT NULL,
    y1        REAL NOT NULL,
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, x0, y0, x1, y1, CAST(at AS BLOB))) STORED,
    CHECK (0 <= x0 AND x0 < x1 AND x1 <= 1 AND 0 <= y0 AND y0 < y1 AND y1 <= 1)
) STRICT;

CREATE TABLE metric_scores (
    metric_id  INTEGER PRIMARY KEY REFERENCES metric(id) ON DELETE CASCADE,
    scores     TEXT NOT NULL,                  -- JSON
    at         TEXT NOT NULL,
    digest     INTEGER NOT NULL AS (row_digest(metric_id, CAST(scores AS BLOB), CAST(at AS BLOB))) STORED
) STRICT;
