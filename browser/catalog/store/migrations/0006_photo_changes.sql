-- Version 6. Which photos each change concerns: what was read of all photos (their order, paths, tags) is brought up to
-- date by the difference, in this program and in the next one. No row of it is what a person did. Numbers rise by one
-- with every row and are never given twice; the latest 32,768 rows at least are kept, whoever is further behind reads
-- everything again.

CREATE TABLE photo_change (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    photo_id  INTEGER,                       -- NULL: all photos
    what      INTEGER NOT NULL               -- 1: where it lies, 2: tags, 4: suggestions, 8: size, date, 16: marks
) STRICT;
CREATE TRIGGER photo_change_bound AFTER INSERT ON photo_change WHEN NEW.id % 16384 = 0 BEGIN
    DELETE FROM photo_change WHERE id <= NEW.id - 32768;
END;

CREATE TRIGGER file_insert_change AFTER INSERT ON file WHEN NEW.photo_id IS NOT NULL BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 1);
END;
CREATE TRIGGER file_delete_change AFTER DELETE ON file WHEN OLD.photo_id IS NOT NULL BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 1);
END;
CREATE TRIGGER file_update_change AFTER UPDATE OF root_id, path, folder, photo_id, state ON file
WHEN (OLD.root_id, OLD.path, OLD.folder, OLD.photo_id, OLD.state)
    IS NOT (NEW.root_id, NEW.path, NEW.folder, NEW.photo_id, NEW.state)
BEGIN
    INSERT INTO photo_change (photo_id, what) SELECT OLD.photo_id, 1 WHERE OLD.photo_id IS NOT NULL;
    INSERT INTO photo_change (photo_id, what) SELECT NEW.photo_id, 1
    WHERE NEW.photo_id IS NOT NULL AND NEW.photo_id IS NOT OLD.photo_id;
END;

CREATE TRIGGER former_place_insert_change AFTER INSERT ON former_place BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 1);
END;
CREATE TRIGGER former_place_delete_change AFTER DELETE ON former_place BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 1);
END;
CREATE TRIGGER former_place_update_change AFTER UPDATE ON former_place BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 1), (NEW.photo_id, 1);
END;

CREATE TRIGGER root_update_change AFTER UPDATE OF path ON root WHEN OLD.path IS NOT NEW.path BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NULL, 1);
END;

CREATE TRIGGER photo_tag_insert_change AFTER INSERT ON photo_tag BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 2);
END;
CREATE TRIGGER photo_tag_delete_change AFTER DELETE ON photo_tag BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 2);
END;
CREATE TRIGGER photo_tag_update_change AFTER UPDATE OF photo_id, tag_id ON photo_tag BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 2), (NEW.photo_id, 2);
END;

CREATE TRIGGER suggestion_insert_change AFTER INSERT ON suggestion BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 4);
END;
CREATE TRIGGER suggestion_delete_change AFTER DELETE ON suggestion BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 4);
END;
CREATE TRIGGER suggestion_update_change AFTER UPDATE OF photo_id, state ON suggestion BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 4), (NEW.photo_id, 4);
END;

CREATE TRIGGER photo_insert_change AFTER INSERT ON photo BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.id, 8);
END;
CREATE TRIGGER photo_delete_change AFTER DELETE ON photo BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.id, 8);
END;
CREATE TRIGGER photo_update_change AFTER UPDATE OF bytes, width, height, taken ON photo
WHEN (OLD.bytes, OLD.width, OLD.height, OLD.taken) IS NOT (NEW.bytes, NEW.width, NEW.height, NEW.taken)
BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.id, 8);
END;

CREATE TRIGGER mark_insert_change AFTER INSERT ON mark BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 16);
END;
CREATE TRIGGER mark_delete_change AFTER DELETE ON mark BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (OLD.photo_id, 16);
END;
CREATE TRIGGER mark_update_change AFTER UPDATE OF rating ON mark WHEN OLD.rating IS NOT NEW.rating BEGIN
    INSERT INTO photo_change (photo_id, what) VALUES (NEW.photo_id, 16);
END;
