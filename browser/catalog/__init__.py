"""What is known about the photos: a catalogue in SQLite, and derived arrays and thumbnails beside it."""
