# SPDX-License-Identifier: MIT
"""Comparison of the tags of several annotators: this library with other libraries and archives.

Uses `archives` and `provenance` beside it. Inside: `record` > `compare` > `annotator`; `settle`. Entry points:
`compare_annotators`, `settle_disagreement`, `record_agreement`, `merge_annotator`.
"""
