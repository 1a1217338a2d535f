"""The guide in a window of its own, opened at the chapter of the place that one is in.

Uses `base`. Entry points: `GuideOpener`, `GuideWindow`.
"""
