"""What all estimators show of their model, whichever library they are made for, and where they are at home."""

import copy
import os
from concurrent.futures import Future
from typing import Any, Self

import numpy as np

from kernelpick.budget.overruns import Timed, tells
from kernelpick.columns.stream import Columns
from kernelpick.core import messages
from kernelpick.core.kernels import Kernel
from kernelpick.files import container, metadata, packing, saving
from kernelpick.files.container import from_bytes, load
from kernelpick.files.older import UNKNOWN
from kernelpick.online import merging
from kernelpick.online.guard import Guard, at_once, guard_of, learns_at_once
from kernelpick.online.model import Model
from kernelpick.online.scaling import KIND, LOG
from kernelpick.online.tickets import Ticket, checked_id, id_of
from kernelpick.views.attributes import Views

__all__ = ["Estimator", "from_bytes", "load"]

# Files say for which library a model was made; it is imported when one is loaded.
container.package("sklearn", "kernelpick.sklearn")
container.package("river", "kernelpick.river")


class Estimator(Timed, Views):
    """Attributes of the model, tickets and files."""

    _model: Model | None = None
    _columns: Columns | None = None  # of a model whose rows are not all plain arrays

    def _keep(self, given: dict[str, Any]) -> None:
        """The arguments of a constructor, its locals, as attributes of the same names and unchanged."""
        vars(self).update({name: value for name, value in given.items() if name not in ("self", "__class__")})

    @property
    def _guard(self) -> Guard:
        """Whose turn it is, where several threads use this estimator; a new model takes over the guard of the old."""
        return guard_of(self) if self._model is None else self._model.guard

    @property
    def _fitted(self) -> Model:
        if self._model is None:
            raise AttributeError(f"This {type(self).__name__} has not seen any row, so it has no such attribute.")
        return self._model

    @property
    def kernels_(self) -> tuple[Kernel, ...]:
        """The kernels to choose from; none as long as rows are held back."""
        return self._fitted.kernels

    @property
    @at_once
    def probabilities_(self) -> np.ndarray:
        """The probability of each kernel in the next round, or its weight where all of them play."""
        return self._fitted.probabilities

    @property
    def learner_(self) -> str:
        """How the hypotheses learn: "gradient", "adagrad", "newton" or "diagonal"; "" as long as rows are held back."""
        model = self._fitted
        return str(model.state.learner.axis) if model.state else ""

    @property
    @at_once
    def n_rounds_(self) -> int:
        """Rows learned from so far."""
        return self._fitted.rounds

    @property
    @at_once
    def loss_(self) -> float:
        """The mean loss of what was said before each target was used, in units of y; NaN before the first round."""
        return self._fitted.said.mean

    @property
    @at_once
    def target_scale_(self) -> Any:
        """How targets are learned, "linear" or "log"; a list where there are several."""
        if self._fitted.spec.loss_row.classifies:
            raise AttributeError("The targets of a classifier are classes, which have no scale.")
        kinds = ["log" if kind == LOG else "linear" for kind in self._fitted.targets.table[KIND].tolist()]
        return kinds[0] if len(kinds) == 1 else kinds

    @property
    def support_size_(self) -> int:
        """Examples stored (oks, oks++, ioks, lkmbooks)."""
        model = self._fitted
        if model.spec.row.space.spectral:
            raise AttributeError(f"{model.spec.name} stores no examples; see n_features_used_.")
        return int(model.state.space.used[1]) if model.state else 0

    @property
    def n_features_used_(self) -> int:
        """Frequencies of the random features; each gives a cosine and a sine."""
        model = self._fitted
        if not model.spec.row.space.spectral:
            raise AttributeError(f"{model.spec.name} has no random features; see support_size_.")
        return model.spec.n_features

    @property
    @at_once
    def inputs_(self) -> dict[Any, list[str]]:
        """The inputs that each column became so far, as people read them."""
        model = self._fitted
        if self._columns is None:
            return {column: [str(column)] for column in range(model.n_columns)}
        return self._columns.inputs()

    @property
    @at_once
    def memory_bytes_(self) -> int:
        """What the model's arrays take."""
        return packing.n_bytes(self._fitted)

    @tells
    @learns_at_once
    def tell(self, ticket: Ticket | int | str, y: Any, sample_weight: float = 1.0) -> Self:
        """Learn the target of a ticket, which is closed by that.

        Tickets may be told in any order, or never. The loss is that of the prediction given; the gradient is taken at
        the hypothesis as it is now. As long as first rows are kept for a fit, a ticket that is told becomes an ordinary
        round, whose prediction is made anew.

        Parameters
        ----------
        ticket : what ``ask`` returned, or its id
        y : the target, or the label; a missing one closes the ticket and is no round where missing_label is "skip"
        sample_weight : what loss and slope are multiplied by; 0 closes the ticket and is no round
        """
        model = self._asked(ticket)
        sample_weight = messages.weight("sample_weight", sample_weight)
        told = self._told(y)
        if told is None:
            return self.drop(ticket)
        model.tell(id_of(ticket), told, sample_weight * self._weight_of(y))
        return self

    @learns_at_once
    def drop(self, ticket: Ticket | int | str) -> Self:
        """Forget a ticket whose label will not come."""
        self._asked(ticket).desk.close(id_of(ticket))
        return self

    @at_once
    def open_tickets(self) -> list[Ticket]:
        """The tickets whose labels have not come, in the order in which they were asked for, with what was said."""
        return [] if self._model is None else self._model.desk.tickets()

    def _asked(self, ticket: Ticket | int | str) -> Model:
        """The model, if this is one of its open tickets."""
        id = id_of(ticket)
        if self._model is None:
            raise ValueError(f"Ticket {id!r} is unknown: this model has not issued any.")
        self._model.desk.find(id)
        return self._model

    def _free(self, id: Any) -> int | str | None:
        """The user's own id for the next ticket, if there is one and no open ticket has it."""
        if id is None:
            return None
        id = checked_id(id)
        if self._model is not None:
            self._model.desk.check_free(id)
        return id

    def _recall(self) -> None:
        """Files of earlier versions do not have what was said to open tickets; it follows from the values.

        A label may have become another one where classes have joined since.
        """
        desk = self._fitted.desk
        for id, slip in desk.open.items():
            if slip.prediction is UNKNOWN:
                desk.open[id] = slip._replace(prediction=self._answer(slip.in_units()))

    def _answer(self, values: np.ndarray) -> Any:
        """The prediction from the model's values (1, M) for one row."""
        raise NotImplementedError

    def _weight_of(self, y: Any) -> float:
        """What class_weight has for a label; 1 if it has nothing."""
        given = getattr(self, "class_weight", None)
        return float(given.get(y, 1.0)) if isinstance(given, dict) else 1.0

    def _told(self, y: Any) -> np.ndarray | None:
        """(1, M) numbers for one target, checked; None for one that is missing and may be."""
        raise NotImplementedError

    def blank(self, weight: float = 0.0) -> Self:
        """A model with the same columns, scales, kernels and frequencies, and nothing learned: what shards begin as.

        There are no fits to come, and columns and words that the model has not seen are left out, so that what several
        blanks learn can be merged: see ``kernelpick.merge``. Memories and companions have learned nothing, either.

        Parameters
        ----------
        weight : with more than 0 it begins with what the model has learned, which counts as that many rows at most. So
            a model of many streams is a prior for a new one; its weight fades as rows come.

        >>> import numpy as np
        >>> from kernelpick import KernelRegressor
        >>> model = KernelRegressor(random_state=0).partial_fit(np.arange(600.0)[:, None], np.arange(600.0))
        >>> blank = model.blank()
        >>> blank.n_rounds_, blank.kernels_ == model.kernels_
        (0, True)
        """
        with self._guard:
            columns = None if self._columns is None else self._columns.blank()
            new = self._with(merging.blank(self._fitted, messages.weight("weight", weight)), columns)
            new._metadata = {}
            return new

    def _with(self, model: Model, columns: Columns | None) -> Self:
        """An estimator of the same parameters and classes with another model."""
        new = copy.copy(self)
        own = {name: value for name, value in vars(new).items() if name not in ("_model", "_columns")}
        vars(new).update(copy.deepcopy(own) | {"_model": model, "_columns": columns})
        return new

    def save(self, path: str | os.PathLike[str], wait: bool = True) -> Future[None] | None:
        """Write the model to a file that ``kernelpick.load`` reads; see the page on the file format.

        Parameters
        ----------
        path : where to; what was there is replaced when all is written
        wait : False writes the model as it is now in the background, and takes no longer than a copy of its arrays.
            What comes back is a ``concurrent.futures.Future``, whose ``result()`` waits, and raises what went wrong.
            Saves of one path are written in their order; the interpreter does not end before all of them are.
        """
        return saving.save(self, path, wait)

    def to_bytes(self) -> bytes:
        """What ``save`` would write, for ``kernelpick.from_bytes``."""
        return container.to_bytes(self)

    @property
    def metadata(self) -> dict[str, Any]:
        """JSON of your own that is kept with the model; ``clone`` leaves it out, as all that is no parameter."""
        return vars(self).setdefault("_metadata", {})  # type: ignore[no-any-return]

    @metadata.setter
    def metadata(self, value: dict[str, Any]) -> None:
        self._metadata = metadata.checked(value)
