"""Numbers: compiling, counted randomness, elementary functions, products. Nothing here knows of kernels or rounds."""
