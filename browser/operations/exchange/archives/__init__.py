# SPDX-License-Identifier: MIT
"""Archives of a whole library in one file.

`archive` defines the format, `save_archive` writes an archive, `unpack_archive` makes a library of it or merges it.
Uses `provenance` beside it.
"""
