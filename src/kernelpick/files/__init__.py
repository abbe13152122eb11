"""What is read from disk: the readers of data files (`libsvm`, `arff`, `csv`)."""
