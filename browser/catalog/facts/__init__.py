# SPDX-License-Identifier: MIT
"""Tables of the catalogue: photos, files, tags, judgements, suggestions, metrics, settings; the filter's language.

Uses `columns` and `store`. Entry points: `Roots`, `Files`, `Photos`, `Tags`, `Judgements`; rows in `records`.
"""
