"""Arrays of numbers, whatever they are of; other threads run meanwhile.

Entry point: `distinct`.
"""
