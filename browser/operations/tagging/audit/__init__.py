# SPDX-License-Identifier: MIT
"""Audits: the user checks a random sample of photos, from which a certificate of the tags is estimated.

Uses `annotated` and `learn_tags` beside it. Inside: `accept_rest` > `certificate` > `audited_state`; `draw` >
`confidences`; `answer`; `take_audit` > `audited_state`. Entry points: `draw_audit`, `answer_audit`, `read_certificate`,
`find_rest`, `take_audit`.
"""
