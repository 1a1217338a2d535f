# SPDX-License-Identifier: MIT
"""Portraits: faces, hair, and the portraits composed of them."""
