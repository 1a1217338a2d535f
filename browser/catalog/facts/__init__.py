"""What is known: photos, their files, tags, judgements, suggestions, metrics, settings; the language of the filter.

Uses `store`. Entry points: `Roots`, `Files`, `Photos`, `Tags`, `Judgements`; rows in `records`.
"""
