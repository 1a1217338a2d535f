"""Tags found in files and sidecars: which ones the user chose to import, and entering them into the library.

Uses `metadata` beside it. Begin with `import_tags`.
"""
