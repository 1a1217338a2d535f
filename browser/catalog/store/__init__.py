# SPDX-License-Identifier: MIT
"""The catalogue's database: SQLite, migrations, backups, transactions, the undo journal.

Uses no other part of the catalogue but `browser.catalog.text`. Entry points: `Database` in `database`, `Journal` in
`journal`, and `atomic_file` for every file that the program writes as a whole.
"""
