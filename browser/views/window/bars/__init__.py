"""The bars of the main window: above the photos, beneath them, and the messages between.

Uses `learner_menu` and `trail_menu` beside it.
"""
