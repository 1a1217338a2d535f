# SPDX-License-Identifier: MIT
"""Animals: `animals` chooses one; `wildlife` has the helpers that they share."""
