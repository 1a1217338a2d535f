"""What other starts of Focal hand to the window that has the library open: paths to open, and commands to run.

`place` says where the window listens, `messages` what goes over the socket; commands use both, and need no Qt for it.
`server` is the window's side, `start` that of a second start of the window.
"""
