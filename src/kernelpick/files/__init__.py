"""Files: the model file (container, packing, values, older) and the readers of data files (libsvm, arff, csv)."""
