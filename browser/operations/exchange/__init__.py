# SPDX-License-Identifier: MIT
"""Export to and import from other programs: photos with their tags, and judgements.

`formats` is the table of file formats used by `import_file` and `export_file`, with one module per format. Uses
`metadata`, `tagging` and the rooms below them. Entry points: `import_tags`, `import_judgements`, `export_photos`,
`export_judgements`.
"""
