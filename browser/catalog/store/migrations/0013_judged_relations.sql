-- Version 13. Judgements beside similar and dissimilar: a photo looks like the focal image, or is nearer to it than another.

CREATE TABLE judged_relation (
    focal_id  INTEGER NOT NULL REFERENCES photo(id),
    other_id  INTEGER NOT NULL REFERENCES photo(id) CHECK (other_id <> focal_id),
    than_id   INTEGER NOT NULL REFERENCES photo(id),  -- the photo that is less near; the focal image if none is compared
    relation  TEXT NOT NULL CHECK (relation IN ('looks alike', 'nearer')),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(focal_id, other_id, than_id, CAST(relation AS BLOB), CAST(at AS BLOB))) STORED,
    PRIMARY KEY (focal_id, other_id, than_id),
    CHECK (than_id <> other_id AND (relation = 'nearer') = (than_id <> focal_id))
) STRICT, WITHOUT ROWID;
CREATE INDEX judged_relation_other ON judged_relation(other_id);
CREATE INDEX judged_relation_than ON judged_relation(than_id);
