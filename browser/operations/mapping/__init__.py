"""All photos of a library on a plane, like beside like.

Uses `ranking` and what is below. Begin with `lay_out`, which finds the places; `levels` chooses the photos that stand
for the others where there is no room for all.
"""
