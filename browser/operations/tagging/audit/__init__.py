"""Audits: a random sample of photos that the user checks, and the certificate of the tags that follows from it.

Uses `annotated` and `learn_tags` beside it. Inside: `accept_rest` > `certificate` > `audited_state`; `draw` >
`confidences`; `answer`. Entry points: `draw_audit`, `answer_audit`, `read_certificate`, `find_rest`.
"""
