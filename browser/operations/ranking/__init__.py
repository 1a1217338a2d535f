"""The space of the descriptors, galleries of photos under a metric, and rankings by a focal image.

Uses `photos`, `describing`. Inside: `why_near`, `similar_photos` > `ranker` > `row_index`, `text_ranking` >
`by_examples`, `by_judgements`, `neighbors`, `sure_distance` > `gallery` > `loaded_metric` > `local`, `space` >
`learner_file`; `queries` and `codes` use none of these. Entry point: `Ranker` in `ranker`.
"""
