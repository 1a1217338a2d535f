"""Data sets of other programs: a format a file, each an entry of the table in `exchange/formats`.

Uses `file_format` and `text_lines` beside it. What they share is in `media` (the photos' files in a folder) and
`documents` (JSON and XML from outside).
"""
