# SPDX-License-Identifier: MIT
"""Safe access to files under fixed names, and temporary folders. Uses no other part of the store."""
