-- Version 9. Audits: photos drawn at random for a tag, and whether the user found that they should carry it.

CREATE TABLE audit (
    tag_id     INTEGER PRIMARY KEY REFERENCES tag(id),
    scope      TEXT NOT NULL,                -- the query that the photos matched
    photos     INTEGER NOT NULL,             -- how many did
    exclusive  INTEGER NOT NULL CHECK (exclusive IN (0, 1)),   -- whether each photo was to have one tag at most
    strata     TEXT NOT NULL,                -- JSON: [[number, photos, mean confidence], ...]
    state      TEXT NOT NULL,                -- digest of the photos, and of those not drawn that carried the tag
    at         TEXT NOT NULL,
    digest     INTEGER NOT NULL AS (row_digest(tag_id, CAST(scope AS BLOB), photos, exclusive, CAST(strata AS BLOB), CAST(state AS BLOB), CAST(at AS BLOB))) STORED
) STRICT;

CREATE TABLE audited (
    tag_id    INTEGER NOT NULL REFERENCES audit(tag_id),
    photo_id  INTEGER NOT NULL REFERENCES photo(id),
    stratum   INTEGER NOT NULL,
    place     INTEGER NOT NULL,              -- in the order in which the photos are asked about
    present   INTEGER CHECK (present IN (0, 1)),   -- whether the photo should carry the tag; NULL: not answered
    digest    INTEGER NOT NULL AS (row_digest(tag_id, photo_id, stratum, place, present)) STORED,
    PRIMARY KEY (tag_id, photo_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audited_photo ON audited(photo_id);
