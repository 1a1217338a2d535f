"""Beaches, boats, cities, flowers, forests and mountains; `coast` is what beaches and boats share."""
