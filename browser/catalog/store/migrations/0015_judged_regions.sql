-- Version 15. Judgements of regions found by a region of a photo, and regions that a tag does not name.

CREATE TABLE region_judgement (
    photo_id  INTEGER NOT NULL REFERENCES photo(id),
    x0        REAL NOT NULL CHECK (x0 >= 0),   -- the queried region; fractions of the photo after EXIF orientation
    y0        REAL NOT NULL CHECK (y0 >= 0),
    x1        REAL NOT NULL CHECK (x1 > x0 AND x1 <= 1),
    y1        REAL NOT NULL CHECK (y1 > y0 AND y1 <= 1),
    other_id  INTEGER NOT NULL REFERENCES photo(id) CHECK (other_id <> photo_id),
    other_x0  REAL NOT NULL CHECK (other_x0 >= 0),   -- the region found in the other photo
    other_y0  REAL NOT NULL CHECK (other_y0 >= 0),
    other_x1  REAL NOT NULL CHECK (other_x1 > other_x0 AND other_x1 <= 1),
    other_y1  REAL NOT NULL CHECK (other_y1 > other_y0 AND other_y1 <= 1),
    verdict   TEXT NOT NULL CHECK (verdict IN ('similar', 'dissimilar')),
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(
        photo_id, x0, y0, x1, y1, other_id, other_x0, other_y0, other_x1, other_y1, CAST(verdict AS BLOB), CAST(at AS BLOB)
    )) STORED,
    PRIMARY KEY (photo_id, x0, y0, x1, y1, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX region_judgement_other ON region_judgement(other_id);

CREATE TABLE rejected_box (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    photo_id  INTEGER NOT NULL REFERENCES photo(id),
    x0        REAL NOT NULL CHECK (x0 >= 0),
    y0        REAL NOT NULL CHECK (y0 >= 0),
    x1        REAL NOT NULL CHECK (x1 > x0 AND x1 <= 1),
    y1        REAL NOT NULL CHECK (y1 > y0 AND y1 <= 1),
    tag_id    INTEGER NOT NULL REFERENCES tag(id),   -- the tag that the user refused for this region
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(id, photo_id, x0, y0, x1, y1, tag_id, CAST(at AS BLOB))) STORED
) STRICT;
CREATE INDEX rejected_box_photo ON rejected_box(photo_id);
CREATE INDEX rejected_box_tag ON rejected_box(tag_id);
