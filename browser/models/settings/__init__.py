# SPDX-License-Identifier: MIT
"""The settings of a library: descriptors, networks, limits.

Uses `photos` and `work`. Entry point: `Preferences`.
"""
