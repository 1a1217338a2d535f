"""Metadata written by other programs, inside photos and in sidecars: tags, ratings, labels and exposure data.

One file per format, each of which yields a `Metadata`; photos are never written. Tags are imported by `imports`. Entry
point: `metadata`.
"""
