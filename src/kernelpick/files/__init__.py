"""Files: the model file (container, packing, states, values) and the readers of data files."""
