# SPDX-License-Identifier: MIT
"""Commands that exchange data with other programs, other libraries and other computers."""
