"""A library as a whole: taking folders in, looking for damage, the demo album.

Uses all other rooms. Entry points: `index`, `check`, `demo`.
"""
