"""One stream's model: a plan, the preparation of its first rows, the rounds, tickets, named columns, classes.

    plan -> preparation (first rows, scaling, grids, tournament) -> model (rounds, tickets)

A model knows rows and targets of numbers; columns.py gives the columns names, and classes.py makes numbers of classes.
"""
