"""Where rows come from: readers of raw files (`libsvm`, `arff`, `csv`) and the scaling of columns."""
