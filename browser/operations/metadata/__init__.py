"""What other programs wrote into photos and beside them: tags, ratings, labels, and how a photo was taken.

A file a format, each of which gives a `Metadata`; nothing here writes a photo. Uses `photos` and what lies below.
Begin with `metadata`.
"""
