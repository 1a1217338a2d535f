# SPDX-License-Identifier: MIT
"""Description of photos: enabled and fitted descriptors, and their extraction.

Uses `workers` and `jobs`. Inside: `extraction`, `codes` > `families`, `overview`, `networks` > `try_network` >
`descriptors` > `display`, `enabled`, `fitted_states` > `settings` > `network_entries`. Entry points: `extract` in
`extraction/extract`, `ready_descriptors` in `descriptors`.
"""
