"""Theme, drawing and small widgets that every other room of the window uses.

Uses no other room of the views. Inside: `fields` > `theme`. Entry point: `Theme`.
"""
