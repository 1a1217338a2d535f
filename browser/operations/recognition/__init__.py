# SPDX-License-Identifier: MIT
"""Recognition: tags by local distances and all descriptors, the Caltech-101 protocol, accuracy of suggestions.

Uses `tagging`, `training`, `ranking` and the rooms below them. Inside: `recognise`, `protocol_caltech101` > `partner`;
`suggestion_accuracy`. Entry points: `recognise`, `protocol_caltech101`, `measure_suggestions`.
"""
