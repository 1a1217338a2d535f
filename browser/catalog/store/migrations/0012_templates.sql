-- Version 12. Labels of the journal and reasons (photo.failure, file.failure, incomplete.reason) with inserted values are JSON:
-- [template, argument, ...]. Plain texts of earlier versions remain.

UPDATE incomplete SET reason = json_array(
        'The file is incomplete, only {0} % of the photo can be shown: copy or download it again.',
        CAST(substr(reason, length('The file is incomplete, only ') + 1) AS INTEGER))
    WHERE reason LIKE 'The file is incomplete, only %';

-- These photos are tried again, which gives their reasons a template.
UPDATE photo SET failure = NULL
    WHERE failure LIKE 'The file is damaged (%' OR failure LIKE '% are not supported: save %' OR failure LIKE 'The image declares %';
