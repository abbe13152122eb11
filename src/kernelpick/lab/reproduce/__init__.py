"""The paper's experiments: the eight datasets, prepared as the paper does, the runs, and every number compared."""
