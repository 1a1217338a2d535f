"""What goes out to other libraries and programs and comes in from there: archives, sidecars, exports.

Uses `work`. Entry points: `Archives`, `SidecarExchange`, `Exporting`.
"""
