"""Where rows come from: the paper's eight datasets by name, a user's own file, made-up streams."""
