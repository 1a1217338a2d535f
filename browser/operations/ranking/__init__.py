# SPDX-License-Identifier: MIT
"""Feature space of the library, galleries of photos under a metric, and rankings by a focal image.

Uses `photos` and the rooms below it. Inside: `why_near`, `similar_photos` > `ranker` > `queries`, `sure_distance` >
`galleries` > `loaded_metric` > `local` > `space` > `learner_file`. Entry point: `Ranker` in `ranker`.
"""
