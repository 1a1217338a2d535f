"""All photos under a metric: their rows, neighbourhoods and index, kept on disk and grown with the library.

Uses `loaded_metric`, `space`. Inside: `row_index` > `neighbors` > `gallery`. Entry point: `MetricGallery` in `gallery`.
"""
