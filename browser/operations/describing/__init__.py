"""By what photos are described: descriptors that are enabled, what they learned from the library, the extraction.

Uses `workers` and `jobs`. Inside: `extraction`, `codes` > `families`, `overview`, `networks` > `try_network` >
`descriptors` > `display`, `enabled`, `fitted_states` > `settings` > `network_entries`. Entry points: `extract` in
`extraction/extract`, `ready_descriptors` in `descriptors`.
"""
