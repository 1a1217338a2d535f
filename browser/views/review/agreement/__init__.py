# SPDX-License-Identifier: MIT
"""Agreement with other annotators: the figures of each tag, and the disagreements one by one.

Uses `list_page` beside it. Entry point: `AgreementPage`.
"""
