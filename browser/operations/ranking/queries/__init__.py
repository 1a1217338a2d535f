# SPDX-License-Identifier: MIT
"""Queries other than a single photo: several examples, a text or judgements, and their rankings.

Uses `galleries` and `local`. Inside: `by_text` > `by_judgements`, `by_examples` > `query`.
"""
