# SPDX-License-Identifier: MIT
"""Commands that restore earlier states: undo, backups, and the rescue of a damaged library."""
