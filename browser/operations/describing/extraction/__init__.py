# SPDX-License-Identifier: MIT
"""Description of photos: fit descriptors to a sample, then describe all photos that lack descriptors.

Uses `families`, `descriptors`, `enabled`, `settings`. Inside: `fit_descriptors` > `sample`; `extract`,
`describe_lacking`; all of them use `description_writer`. `describe_boxes` describes boxes like photos. Entry points:
`extract`, `describe_boxes`.
"""
