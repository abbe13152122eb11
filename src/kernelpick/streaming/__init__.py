"""`kernelpick run`, `predict` and `inspect`: a model from a stream, kept on disk so that nothing is lost.

    source -> blocks of rows -> targets told from inputs -> predicted, then learned -> predictions, table, checkpoint

The order of writing is what makes a kill harmless: predictions and rejected rows go to disk first, then the checkpoint
that speaks of them, whole or not at all. What is beyond the lengths that a checkpoint knows is cut off when a run goes
on, and made again.
"""
