-- Version 8. Photos that a person has shown turned; their files stay as they are.

CREATE TABLE turned (
    photo_id  INTEGER PRIMARY KEY REFERENCES photo(id),
    quarters  INTEGER NOT NULL CHECK (quarters BETWEEN 1 AND 3),   -- clockwise; upright photos have no row
    at        TEXT NOT NULL,
    digest    INTEGER NOT NULL AS (row_digest(photo_id, quarters, CAST(at AS BLOB))) STORED
) STRICT;

-- With it their proportions change, which are the 8 of photo_change.
CREATE TRIGGER turned_insert_change AFTER INSERT ON turned BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 8);
END;
CREATE TRIGGER turned_delete_change AFTER DELETE ON turned BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 8);
END;
CREATE TRIGGER turned_update_change AFTER UPDATE OF quarters ON turned WHEN OLD.quarters IS NOT NEW.quarters BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 8);
END;
