"""The ways out of a damaged catalogue: a backup in its place, what that differs in, and every sound row of its pages.

Uses the rest of the store. Entry points: `replace_catalogue` in `restore`, `difference` in `difference`, `rescue` in
`rescue`.
"""
