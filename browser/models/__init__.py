# SPDX-License-Identifier: MIT
"""Item models and the session: the state of the application without a window."""
