"""Whether the file of a catalogue is what it was: the same file, with every commit, and when it was looked through.

Uses `errors`, `files` and `migrations` of the store. Entry points: `WriterFiles` in `writer_files`, `CommitCount` in
`commit_count`, `last_look` in `last_look`.
"""
