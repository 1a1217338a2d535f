-- Version 11. Photos that the user says are no duplicates of each other; photos whose file is incomplete.

CREATE TABLE not_duplicate (
    photo_id  INTEGER NOT NULL REFERENCES photo(id),
    other_id  INTEGER NOT NULL REFERENCES photo(id) CHECK (photo_id < other_id),
    relation  TEXT NOT NULL CHECK (relation = 'different'),   -- its form tells rescued rows from those of other tables
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, other_id, CAST(relation AS BLOB), CAST(at AS BLOB))) STORED,
    PRIMARY KEY (photo_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX not_duplicate_other ON not_duplicate(other_id);

-- What decoding found, like photo.failure; but such a photo is described and shown.
CREATE TABLE incomplete (
    photo_id  INTEGER PRIMARY KEY REFERENCES photo(id),
    reason    TEXT NOT NULL,                   -- how much of it can be decoded
    digest    INTEGER NOT NULL AS (row_digest(photo_id, CAST(reason AS BLOB))) STORED
) STRICT;

-- Versions before this one decoded nothing of them: they are tried again.
UPDATE photo SET failure = NULL WHERE failure LIKE 'The file is incomplete, its end is missing%';
