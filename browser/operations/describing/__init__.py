"""By what photos are described: descriptors that are enabled, what they learned from the library, the extraction.

Uses `workers` and `jobs`. Inside: `fit_descriptors` > `sample`, `extract` > `families`, `overview`, `networks` >
`description_writer`, `try_network` > `descriptors` > `display`, `enabled`, `fitted_states` > `settings` >
`network_entries`. Entry points: `extract` in `extract`, `ready_descriptors` in `descriptors`.
"""
