-- Version 7. Judgements against a text by which photos were ranked; its vector is worked out again whenever it is asked for.

CREATE TABLE text_judgement (
    text      TEXT NOT NULL,                   -- single spaces between its words
    other_id  INTEGER NOT NULL REFERENCES photo(id),
    verdict   TEXT NOT NULL CHECK (verdict IN ('similar', 'dissimilar')),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(CAST(text AS BLOB), other_id, CAST(verdict AS BLOB), CAST(at AS BLOB))) STORED,
    PRIMARY KEY (text, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_judgement_other ON text_judgement(other_id);
