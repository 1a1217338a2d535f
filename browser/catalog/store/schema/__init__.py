# SPDX-License-Identifier: MIT
"""The catalogue's schema: objects created by the migrations, SQL functions, digests of rows.

Uses the migrations alone. Entry points: `strange_objects` in `objects`, `changed_rows` in `changed_rows`.
"""
