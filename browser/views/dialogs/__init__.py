"""Questions and lists in windows of their own.

Uses `base`. Entry points: a class each.
"""
