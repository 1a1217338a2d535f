# SPDX-License-Identifier: MIT
"""Operations on a whole library: index folders, check for damage, back up, restore, move, demo album.

Uses all other rooms. Entry points: `index`, `check`, `demo`.
"""
