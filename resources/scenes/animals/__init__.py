"""Animals: `animals` chooses one, `wildlife` is what they share."""
