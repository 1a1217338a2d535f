# SPDX-License-Identifier: MIT
"""The audit and the blind second pass: questions about photos drawn at random, and the certificate.

Uses `answer_grid` and `agreement` beside it. Entry point: `AuditPage`.
"""
