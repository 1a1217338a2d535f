# SPDX-License-Identifier: MIT
"""Exchange of tags, ratings, labels and boxes with other programs, by the metadata in photos and in sidecars.

The formats are read by `features.metadata`. `read_metadata` imports ratings and labels, `imports` imports tags, and
`exchange_sidecars` compares the library with the sidecars and writes these, with boxes by `sidecar_regions`. Uses
`photos` and the rooms below it. Entry point: `read_metadata`.
"""
