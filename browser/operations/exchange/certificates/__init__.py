# SPDX-License-Identifier: MIT
"""Certificates as JSON, as an HTML page and in data sets; questions of an audit as a table, and planted photos.

Uses `datasets` beside it. Entry points: `write_certificate`, `write_questions`, `read_answers`.
"""
