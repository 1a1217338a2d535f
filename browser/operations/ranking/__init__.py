"""The space of the descriptors, galleries of photos under a metric, and rankings by a focal image.

Uses `ranking.local`, `photos`, `describing`. Inside: `why_near`, `similar_photos` > `ranker` > `neighbors`,
`by_judgements` > `gallery` > `loaded_metric` > `space`. Entry point: `Ranker` in `ranker`.
"""
