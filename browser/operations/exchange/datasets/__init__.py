# SPDX-License-Identifier: MIT
"""Data sets of other programs: one module per format, listed in the table in `exchange/formats`.

Uses `file_format` and `text_lines` beside it. Shared code is in `media` (photo files in a folder) and `documents` (JSON
and XML from outside).
"""
