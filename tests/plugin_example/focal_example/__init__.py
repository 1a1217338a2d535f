# SPDX-License-Identifier: MIT
"""A descriptor, a learner and a file format for Focal."""
