"""What a catalogue's schema is: its objects as the migrations make them, its functions, its rows' digests.

Uses the migrations alone. Entry points: `strange_objects` in `objects`, `changed_rows` in `changed_rows`.
"""
