"""What other programs wrote into photos and beside them: tags, ratings, labels, and how a photo was taken.

A file a format, each of which gives a `Metadata`; nothing here writes a photo. Tags are imported by `imports`.
Begin with `metadata`.
"""
