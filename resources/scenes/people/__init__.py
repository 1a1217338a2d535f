"""Portraits: faces, hair, and the portrait they are put together in."""
