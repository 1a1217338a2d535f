# SPDX-License-Identifier: MIT
"""The review: questions about one tag or one photo at a time, audits, and likely label errors.

Uses `tagging`, `sidebar`, `work`, `photos` and `base`. Entry points: `Review` (its parts are in `questions`),
`ReviewPages`.
"""
