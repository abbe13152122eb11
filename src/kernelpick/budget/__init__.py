"""A time budget: how long a round may take, what it costs on this machine, and the largest model that fits."""
