"""What is in a photo: its tags by local distances and by all descriptors, and how often that is right.

Uses `tagging`, `training`, `ranking` and what is below. Inside: `recognise`, `protocol_caltech101` > `partner`. Entry
points: `recognise`, `protocol_caltech101`.
"""
