# SPDX-License-Identifier: MIT
"""Agreement with other annotators: the figures of each tag, and the disagreements one by one.

Uses `check_page` beside it. Entry point: `AgreementPage`.
"""
