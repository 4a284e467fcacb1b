"""Values of constants in a model of Z3, read from the model itself: its text takes longer to print and to read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3
from chcfuzz.grammar.evaluation.samples import default_value
from chcfuzz.grammar.evaluation.values import Constructed, Ground, array_value, as_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort
from chcfuzz.grammar.terms import Term

_MOST_DEPTH = 100  # of data types, arrays and their parts, which are read by recursion


class _UnreadError(Exception):
    """A value of another form, which the text of the model may give."""


def values_of(model: z3.ModelRef, problem: Problem) -> dict[str, Term] | None:
    """Return a value for each constant of a problem; None if one has a form that is not read here.

    A constant that the model leaves out has the default value of its sort.
    """
    if problem.sorts or problem.recursive:
        return None
    reader, found = _Reader(model), dict[str, Term]()
    try:
        for function in problem.functions:
            if not function.parameters:
                found[function.name] = as_term(reader.value(function.name, function.result), function.result)
    except _UnreadError:
        return None
    return found


class _Reader:
    """Reads the values in a model; everything that it reads belongs to the model."""

    def __init__(self, model: z3.ModelRef) -> None:
        self._ref, self._model = model.ctx.ref(), model  # the model must live as long as the values are read
        self._values = {}
        for number in range(z3.Z3_model_get_num_consts(self._ref, model.model)):
            constant = z3.Z3_model_get_const_decl(self._ref, model.model, number)
            self._values[self._name(constant)] = z3.Z3_model_get_const_interp(self._ref, model.model, constant)

    def _name(self, declared: Any) -> str:
        return str(z3.Z3_get_symbol_string(self._ref, z3.Z3_get_decl_name(self._ref, declared)))

    def value(self, name: str, sort: Sort) -> Ground:
        """Return the value of a constant."""
        found = self._values.get(name)
        return default_value(sort, lambda _: ()) if found is None else self._read(found, sort, 0)

    def _read(self, found: Any, sort: Sort, depth: int) -> Ground:
        if depth > _MOST_DEPTH:
            raise _UnreadError
        if sort is BOOL:
            value = z3.Z3_get_bool_value(self._ref, found)
            if value == z3.Z3_L_UNDEF:
                raise _UnreadError
            return bool(value == z3.Z3_L_TRUE)
        if sort in (INT, REAL) or sort.is_bitvector:
            number = Fraction(self._number(found))
            return number if sort is REAL else int(number)
        if sort.is_array:
            return self._array(found, sort, depth)
        if sort.datatype:
            return self._constructed(found, sort, depth)
        raise _UnreadError

    def _number(self, found: Any) -> str:
        if z3.Z3_get_ast_kind(self._ref, found) != z3.Z3_NUMERAL_AST:
            raise _UnreadError
        return str(z3.Z3_get_numeral_string(self._ref, found))

    def _kind(self, found: Any) -> int:
        if z3.Z3_get_ast_kind(self._ref, found) != z3.Z3_APP_AST:
            raise _UnreadError
        return int(z3.Z3_get_decl_kind(self._ref, z3.Z3_get_app_decl(self._ref, found)))

    def _argument(self, found: Any, number: int) -> Any:
        return z3.Z3_get_app_arg(self._ref, found, number)

    def _array(self, found: Any, sort: Sort, depth: int) -> Ground:
        stored: list[tuple[Ground, Ground]] = []
        while (kind := self._kind(found)) == z3.Z3_OP_STORE:
            index, element = (self._argument(found, number) for number in (1, 2))
            stored.append((self._read(index, sort.index, depth + 1), self._read(element, sort.element, depth + 1)))
            found = self._argument(found, 0)
        if kind != z3.Z3_OP_CONST_ARRAY:
            raise _UnreadError
        value = array_value(sort.index, self._read(self._argument(found, 0), sort.element, depth + 1), {})
        for at, element in reversed(stored):  # the term of the value has the entries in the order of the stores
            value = array_value(sort.index, value.default, {**value.entries, at: element})
        return value

    def _constructed(self, found: Any, sort: Sort, depth: int) -> Ground:
        assert sort.datatype
        is_made = self._kind(found) == z3.Z3_OP_DT_CONSTRUCTOR
        name = self._name(z3.Z3_get_app_decl(self._ref, found)) if is_made else ""
        for constructor in sort.datatype.constructors:
            if constructor.name == name:
                parts = enumerate(constructor.selectors)
                args = [self._read(self._argument(found, at), part.sort, depth + 1) for at, part in parts]
                return Constructed(sort, constructor.operator, args)
        raise _UnreadError
