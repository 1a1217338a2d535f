# SPDX-License-Identifier: MIT
"""Exchange with other libraries and programs: archives, sidecars, exports, imports.

Uses `work`, `photos` and `base`. Entry point: `Exchange`.
"""
