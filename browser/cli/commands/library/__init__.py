"""Commands that take photos in, list and look after them, and their history."""
