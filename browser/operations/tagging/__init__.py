"""What a person says of photos, and what the program suggests: tags, judgements, answers, suggestions, undo.

Uses `training`, `ranking` and what is below. Entry points: `change_tags` in `tag`, `judge`, `suggest`.
"""
