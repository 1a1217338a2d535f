# SPDX-License-Identifier: MIT
"""Models of parts of photos: heat maps and matching patches of local distances, and searches by a region.

Uses `work`, `photos` and `base`. Entry points: `LocalView`, `RegionSearch`.
"""
