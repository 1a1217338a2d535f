"""The script that ranks photos by an exported metric without Focal; `exchange/lenses/portable` copies it.

It uses NumPy only, and nothing of Focal.
"""
