# SPDX-License-Identifier: MIT
"""Commands that add photos, list them, and find moved files or folders."""
