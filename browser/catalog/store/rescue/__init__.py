# SPDX-License-Identifier: MIT
"""Recovery of a damaged catalogue: restoring a backup, comparing catalogues, and extracting all sound rows.

Uses the rest of the store. Entry points: `replace_catalogue` in `restore`, `difference` in `difference`, `rescue` in
`rescue`.
"""
