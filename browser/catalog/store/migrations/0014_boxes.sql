-- Version 14. Boxes: rectangles that the user draws on photos, and names by a tag.

CREATE TABLE box (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    photo_id     INTEGER NOT NULL REFERENCES photo(id),
    x0           REAL NOT NULL CHECK (x0 >= 0),   -- fractions of the photo after EXIF orientation
    y0           REAL NOT NULL CHECK (y0 >= 0),
    x1           REAL NOT NULL CHECK (x1 > x0 AND x1 <= 1),
    y1           REAL NOT NULL CHECK (y1 > y0 AND y1 <= 1),
    width        INTEGER,                         -- pixels of the photo when the box was drawn or moved last; NULL: unknown
    height       INTEGER,
    tag_id       INTEGER REFERENCES tag(id),
    source       TEXT NOT NULL CHECK (source IN ('hand', 'accepted', 'import')),
    brought_tag  INTEGER NOT NULL CHECK (brought_tag IN (0, 1)),   -- 1: the photo carries the tag because of this box
    at           TEXT NOT NULL,                   -- when it was drawn, moved or named last
    digest       INTEGER NOT NULL AS (row_digest(
        id, photo_id, x0, y0, x1, y1, width, height, tag_id, CAST(source AS BLOB), brought_tag, CAST(at AS BLOB)
    )) STORED,
    CHECK (tag_id IS NOT NULL OR NOT brought_tag)
) STRICT;
CREATE INDEX box_photo ON box(photo_id);
CREATE INDEX box_tag ON box(tag_id) WHERE tag_id IS NOT NULL;
