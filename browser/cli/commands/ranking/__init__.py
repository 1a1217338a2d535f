"""Commands that rank photos, and those that train, measure and choose metrics."""
