"""Where the curves of a long stream are sampled."""

POINTS = 60  # of a curve


def checkpoints(rounds: int) -> list[int]:
    """Rounds at which curves are sampled: dense at the start, where things change fastest; the last is the end."""
    return sorted({max(1, rounds * i * i // POINTS**2) for i in range(1, POINTS + 1)})
