# SPDX-License-Identifier: MIT
"""Checks of the catalogue's file: that it is the same file, that it has every commit, and when it was last checked.

Uses `errors`, `files` and `migrations` of the store. Entry points: `WriterFiles` in `writer_files`, `CommitCount` in
`commit_count`, `last_look` in `last_look`.
"""
