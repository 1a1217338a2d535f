# SPDX-License-Identifier: MIT
"""Which library merged data came from. Entry points: `record_merge`, `merges_of`."""
