"""Recognition: tags of a photo by local distances and by all descriptors, and the Caltech-101 protocol.

Uses `tagging`, `training`, `ranking` and the rooms below them. Inside: `recognise`, `protocol_caltech101` > `partner`.
Entry points: `recognise`, `protocol_caltech101`.
"""
