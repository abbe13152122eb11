"""Columns and classes that come while a model learns, and how much each round does."""

import numpy as np


def work_of(model, X, Y, births, classes=()):
    """Rounds of one player in each row, of the kernels and of fits. A column comes before each row of births."""
    work = []
    for row in range(len(X)):
        if row in births:
            model.admit([f"c{len(model.expected)}"])
        if row in classes:
            another_class(model)
        x, job = np.zeros((1, model.spec.n_inputs)), model.job
        x[0, : len(model.names)] = X[row, : len(model.names)]
        players = int(model.state.selector.playing.sum()) if model.state is not None else 0
        before = job.done if job is not None else 0.0
        model.learn(x, np.repeat(Y[row : row + 1], model.spec.n_outputs, axis=1))
        after = sum(one.done for one in {job, model.job} if one is not None)
        work.append(players + after - before)
    return np.array(work)


def another_class(model):
    """One output is two classes, and further ones have one each."""
    outputs = model.spec.n_outputs
    sources = [*range(outputs), *[-1] * (2 if outputs == 1 else 1)]
    model.remap(sources, [1.0] * len(sources))
