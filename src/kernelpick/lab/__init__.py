"""The laboratory: datasets, runs that can be resumed, pages, and the commands `reproduce` and `compare`."""
