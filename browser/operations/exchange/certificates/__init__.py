"""Certificates as JSON, as an HTML page and in data sets, and the questions of an audit as a table.

Entry points: `write_certificate`, `write_questions`, `read_answers`.
"""
