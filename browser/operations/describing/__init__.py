"""By what photos are described: descriptors that are enabled, what they learned from the library, the extraction.

Uses `workers` and `jobs`. Inside: `fit_descriptors` > `sample`, `extract`, `check_network` > `families`, `overview`,
`description_writer` > `descriptors`, `networks` > `enabled`, `fitted_states` > `settings` > `network_entries`. Entry
points: `extract` in `extract`, `ready_descriptors` in `descriptors`.
"""
