"""Background lanes: work in plain threads, results delivered on the main thread by Qt signals."""
