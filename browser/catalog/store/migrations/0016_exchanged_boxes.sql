-- Version 16. Boxes as both sides had them when a photo and one of its sidecars were last made alike. A table of its own:
-- steps of the journal hold whole rows, so a further column of the table exchange would end the undo of older steps.

CREATE TABLE exchanged_boxes (
    photo_id      INTEGER NOT NULL REFERENCES photo(id),
    sidecar       BLOB NOT NULL,             -- os.fsencode of the absolute path
    boxes         TEXT NOT NULL,             -- JSON array of [tag or null, x0, y0, x1, y1], not empty
    digest        INTEGER NOT NULL AS (row_digest(photo_id, sidecar, CAST(boxes AS BLOB))) STORED,
    PRIMARY KEY (photo_id, sidecar)
) STRICT, WITHOUT ROWID;
