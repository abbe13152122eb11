"""The paper's experiments: the eight datasets, found or downloaded, and prepared as the paper does."""
