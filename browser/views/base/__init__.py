# SPDX-License-Identifier: MIT
"""Theme, drawing and small widgets that all other rooms of the window use.

Uses no other room of the views. Inside: `fields` > `theme`. Entry point: `Theme`.
"""
