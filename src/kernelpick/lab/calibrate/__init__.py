"""kernelpick calibrate: what a round costs on this machine, measured and fitted, and what budgets buy."""
