"""The settings of a library, page by page.

Uses `base`. Entry point: `SettingsDialog`.
"""
