# SPDX-License-Identifier: MIT
"""Metadata read from photos and sidecars, and the state of the exchange with sidecars.

Uses `photo_ids`, `query` and `records` beside it. Entry points: `InformationStore`, `Exchange`.
"""
