# SPDX-License-Identifier: MIT
"""Exchange with other libraries and programs: archives, sidecars, exports, imports.

Uses `work`. Entry point: `Exchange`.
"""
