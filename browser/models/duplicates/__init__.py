# SPDX-License-Identifier: MIT
"""Models of duplicate photos: the groups, and the actions on them.

Uses `work` and `photos`. Entry point: `DuplicateGroups`.
"""
