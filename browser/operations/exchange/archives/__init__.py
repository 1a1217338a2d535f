"""Archives: a whole library in one file.

`archive` is what such a file is, `save_archive` writes one, `unpack_archive` makes a library of one or merges it in.
"""
