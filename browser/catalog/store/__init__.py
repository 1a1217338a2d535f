"""The catalogue as a database: SQLite, migrations, backups, transactions, the journal of undo.

Uses nothing else of the catalogue. Entry points: `Database` in `database`, `Journal` in `journal`,
`atomic_file` for every file that the program writes whole.
"""
