"""The main window: its bars and panels, its actions, and how they work together.

Uses all other rooms of the views. Entry point: `MainWindow`.
"""
