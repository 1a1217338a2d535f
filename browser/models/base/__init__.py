# SPDX-License-Identifier: MIT
"""What all models share: the feed of changes to the library, and the messages for the user.

Uses no other room of the models. Entry points: `ChangeFeed`, `Notices`.
"""
