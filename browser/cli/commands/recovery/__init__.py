"""Commands that bring back what was: undo, backups, and what is sound of a damaged library."""
