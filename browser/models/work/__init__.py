# SPDX-License-Identifier: MIT
"""Changes of the library: the user's edits, long background work, and the photo folders.

Uses `photos` and `base`. Inside: `folders` > `jobs`. Entry points: `Editor`, `BackgroundJobs`, `PhotoFolders`.
"""
