"""Certificates for others: as JSON, as a page, and beside a data set; the questions of an audit as a table.

Entry points: `write_certificate`, `write_questions`, `read_answers`.
"""
