"""Models as solvers give them: Spacer's lives in the context that found it, any other's is text."""

from __future__ import annotations

from typing import Any

from chcfuzz.solvers.model_text import TextModel, standard


class Model:
    """A model of Spacer in the context that found it; it keeps that context alive."""

    def __init__(self, context: Any, assertions: Any, model: Any) -> None:
        self.context = context
        self.assertions = assertions
        self.model = model

    @property
    def definitions(self) -> str:
        """The model as SMT-LIB `define-fun`s, auxiliary functions included, as Z3 prints it in `standard` SMT-LIB.

        Not remembered: evaluation with completion adds what the model did not mention, here and to `defined`.
        """
        return standard(self.model.sexpr())

    @property
    def whole(self) -> str:
        """The definitions: they name all elements of sorts."""
        return self.definitions

    @property
    def defined(self) -> frozenset[str]:
        """The names of the functions that it defines."""
        return frozenset(declaration.name() for declaration in self.model.decls())


AnyModel = Model | TextModel
