"""Photos are described: first a sample, from which descriptors learn, then all that lack something.

Uses `families`, `descriptors`, `enabled`, `settings`. Inside: `fit_descriptors` > `sample`; `extract`,
`describe_lacking`; all of them use `description_writer`. Entry point: `extract` in `extract`.
"""
