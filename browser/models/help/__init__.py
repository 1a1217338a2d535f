"""The guide: its chapters as text, and what is found in them.

Uses nothing else of the models. Entry point: `read_guide`.
"""
