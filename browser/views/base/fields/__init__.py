"""Fields in which a person types or chooses: combo boxes, lists of completions, mistakes said under them.

Uses `theme`.
"""
