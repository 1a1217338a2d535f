"""Commands that take photos in, list them, and find them again where their files or folders have moved."""
