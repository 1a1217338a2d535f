-- Version 17. New libraries do not describe photos by color_edge_texture any more. A library that has photos keeps the
-- descriptors that it ranks by, so that its metrics stay valid, unless its user has chosen some.

INSERT INTO setting (name, value)
SELECT 'descriptors', (
    SELECT json_group_array(value)
    FROM (
        SELECT value FROM json_each(
            '["color_moments", "color_coherence", "gabor", "color_edge_texture", "edge_directions", "lbp", "gist",
              "dense_sift_fisher", "dense_color_fisher", "dense_sift_salient", "dense_color_salient",
              "dense_sift_signs", "dense_color_signs"]'
        )
        UNION ALL
        SELECT network.value ->> 'name'
        FROM setting, json_each(setting.value) AS network
        WHERE setting.name = 'networks' AND json_valid(setting.value)
    )
)
WHERE EXISTS (SELECT 1 FROM photo) AND NOT EXISTS (SELECT 1 FROM setting WHERE name = 'descriptors');
