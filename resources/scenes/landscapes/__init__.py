# SPDX-License-Identifier: MIT
"""Beaches, boats, cities, flowers, forests and mountains; beaches and boats share `coast`."""
