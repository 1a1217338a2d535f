# SPDX-License-Identifier: MIT
"""Import of tags found in files and sidecars, as chosen by the user.

Uses `metadata` beside it. Entry point: `import_tags`.
"""
