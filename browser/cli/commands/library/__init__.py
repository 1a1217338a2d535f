"""Commands that take photos in, list, write and look after them, and their history."""
