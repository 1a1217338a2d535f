"""Several examples in the place of a focal image: like these, not like those.

Uses `base`. Entry point: `ExamplesStrip`.
"""
