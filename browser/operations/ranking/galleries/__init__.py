# SPDX-License-Identifier: MIT
"""All photos under a metric: rows, neighbourhoods and index, saved to disk and extended with the library.

Uses `loaded_metric`, `space`. Inside: `row_index` > `neighbors` > `gallery`. Entry point: `MetricGallery` in `gallery`.
"""
