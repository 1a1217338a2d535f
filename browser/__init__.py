"""The photo browser: a catalogue of photos, operations on it, and the window and command line that show it."""
