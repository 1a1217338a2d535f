# SPDX-License-Identifier: MIT
"""Description of photos: fit descriptors to a sample, then describe all photos that lack descriptors.

Uses `families`, `descriptors`, `enabled`, `settings`. Inside: `fit_descriptors` > `sample`; `extract`,
`describe_lacking`; all of them use `description_writer`. Entry point: `extract` in `extract`.
"""
