"""Work on a Dask cluster: `cluster` for calls of any function, `dask_executor` for photos that are described there.

Imported only where a cluster is asked for: Dask is an extra, and slow to load.
"""
