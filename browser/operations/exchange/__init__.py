"""Files that travel: photos with their tags, and judgements, written for and read from other programs.

`formats` is the table of the file formats that `import_file` and `export_file` share: a file each, and a line there.
Uses `photos` and what lies below. Entry points: `import_tags`, `import_judgements`, `export_photos`,
`export_judgements`.
"""
