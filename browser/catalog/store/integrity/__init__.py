"""Whether the file of a catalogue is what it was: the same file, with every commit, and when it was looked through.

Uses `errors` and `files` of the store. Entry points: `FileIdentities` in `file_identity`, `CommitCount` in
`commit_count`, `last_look` in `last_look`.
"""
