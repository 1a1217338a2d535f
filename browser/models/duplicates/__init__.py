# SPDX-License-Identifier: MIT
"""Models of duplicate photos: the groups, and the actions on them.

Uses `work`, `photos` and `base`. Entry point: `DuplicateGroups`.
"""
