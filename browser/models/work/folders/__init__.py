# SPDX-License-Identifier: MIT
"""The photo folders: opened, watched, relocated, and searched for missing photos.

Uses `work` and `photos`. Entry point: `PhotoFolders`.
"""
