"""How the pictures of the demo album are drawn: one kind of scene a file, over shared paint, light and props."""
