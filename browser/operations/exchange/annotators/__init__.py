# SPDX-License-Identifier: MIT
"""Comparison of the tags of several annotators: this library with other libraries and archives.

`compare` > `annotator`; `settle`. Entry points: `compare_annotators`, `settle_disagreement`.
"""
