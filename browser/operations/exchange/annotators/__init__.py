# SPDX-License-Identifier: MIT
"""Comparison of the tags of several annotators: this library with other libraries and archives.

Uses `archives` beside it. Inside: `compare` > `annotator`; `settle`. Entry points: `compare_annotators`,
`settle_disagreement`.
"""
