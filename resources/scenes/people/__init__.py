"""Portraits: faces, hair, and the portraits composed of them."""
