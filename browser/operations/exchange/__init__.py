"""Tables that travel: tags and judgements written for and read from other programs.

Uses `tagging` and what is below. Entry point: the table of formats.
"""
