"""Files under fixed names that lead nowhere else, and temporary folders. Uses nothing of the store."""
