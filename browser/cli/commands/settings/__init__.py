# SPDX-License-Identifier: MIT
"""Commands that choose descriptors and change other settings of a library."""
