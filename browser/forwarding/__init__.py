# SPDX-License-Identifier: MIT
"""Forwards paths and commands from other Focal processes to the window that has the library open.

`place` defines the socket's path and `messages` the protocol; commands use both without Qt. `server` is the window's
side, `start` that of a second start of the window program.
"""
