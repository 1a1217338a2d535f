"""Tags that the program suggests, learned from those that a person gave, and tags that go with one another.

Uses `training`, `ranking` and what is below. Entry points: `suggest`, `related_tags` in `related`. What a person does
(tags, judgements, answers to suggestions, undo) is written to the catalogue itself: `Library.tags`, `judgements`,
`suggestions`, `journal`.
"""
