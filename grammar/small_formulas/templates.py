"""A few literals over the constants of one theory, drawn from templates, and a model that makes most of them true.

The same small numbers and constants occur again and again, so that literals interact. With terms of `grammar.drawing`,
which are larger and rarely share one, 600 questions to parts of Z3 showed 3 violations; 1,200 from templates showed 58.
Stored units and rows draw again, so a change here changes these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.small_formulas.assignments import drawn_model, oriented, true_formulas, turned_to_equalities
from chcfuzz.grammar.terms import TRUE, Term

Templates = Mapping[str, tuple[str, ...]]  # of terms by a letter for their sort, the leaves after "leaf "
_HOLE = re.compile(r"\{(\w+)\}")
_LITERALS = (1, 2, 2, 3, 3, 4)
_FUEL = (1, 2, 2, 3)
_MODELS = 8  # models that are drawn: the one that makes most literals true stays
_ARRAY, _NESTED = "(Array Int Int)", "(Array Int (Array Int Int))"
_VECTOR = "(_ BitVec 4)"

_TRUTH = ("(not {B})", "(and {B} {B})", "(or {B} {B})", "(= {B} {B})", "(ite {B} {B} {B})", "(=> {B} {B})")
_INTEGERS = ("(+ {I} {I})", "(- {I} {I})", "(* 2 {I})", "(ite {B} {I} {I})", "(mod {I} 3)", "(div {I} 2)")
_BETWEEN = ("(= {I} {I})", "(distinct {I} {I})", "(distinct {I} {I} {I})", "(< {I} {I})", "(<= {I} {I})")


@dataclass(frozen=True)
class _Theory:
    """Declarations, leaves and operators by letters of sorts; `B` is Bool, and its operators are literals first."""

    declared: str
    leaves: Templates
    operators: Templates
    is_later: bool = False  # rows that choose a theory by its position leave it out


def _arrays_of(element: str, letter: str) -> tuple[str, ...]:
    sort = f"(Array Int {element})"
    return (
        f"(store {{A}} {{I}} {{{letter}}})",
        "(ite {B} {A} {A})",
        f"((as const {sort}) {{{letter}}})",
    )


_EQUAL_ARRAYS = ("(= {A} {A})", "(= {A} {A})", "(distinct {A} {A} {A})")
_I = ("i", "j", "k", "0", "1", "3")
THEORIES: Mapping[str, _Theory] = {
    "arrays": _Theory(
        f"(declare-const a {_ARRAY})(declare-const b {_ARRAY})(declare-const c {_ARRAY})"
        "(declare-const i Int)(declare-const j Int)(declare-const k Int)",
        {"I": _I, "A": ("a", "b", "c"), "B": ()},
        {
            "I": ("(+ {I} {I})", "(ite {B} {I} {I})", "{T}", *("(select {A} {I})",) * 5),
            "T": _INTEGERS,
            "A": (*_arrays_of("Int", "I"), *("(store {A} {I} {I})",) * 2),
            "B": (*("(= {A} {A})",) * 4, "(distinct {A} {A} {A})", "(= {I} {I})", *_BETWEEN),
        },
    ),
    "nested": _Theory(
        f"(declare-const m {_NESTED})(declare-const n {_NESTED})(declare-const a {_ARRAY})(declare-const i Int)",
        {"I": ("i", "0", "1"), "A": ("a", "a"), "M": ("m", "n", "m"), "B": ()},
        {
            "I": ("(select {A} {I})", "(+ {I} {I})", "(ite {B} {I} {I})"),
            "A": (*_arrays_of("Int", "I"), "(select {M} {I})", "(select {M} {I})"),
            "M": ("(store {M} {I} {A})", "(ite {B} {M} {M})", f"((as const {_NESTED}) {{A}})"),
            "B": ("(= {M} {M})", "(= {A} {A})", "(= {A} {A})", "(= {I} {I})", "(distinct {A} {A} {A})"),
        },
    ),
    "booleans": _Theory(
        "(declare-const a (Array Int Bool))(declare-const b (Array Int Bool))(declare-const c Bool)"
        "(declare-const i Int)",
        {"I": ("i", "0", "1"), "A": ("a", "b", "a"), "B": ("c",)},
        {
            "I": ("(+ {I} {I})", "(ite {B} {I} {I})"),
            "A": _arrays_of("Bool", "B"),
            "B": (*_EQUAL_ARRAYS, "(select {A} {I})", "(select {A} {I})", "(not {B})", "(= {I} {I})"),
        },
    ),
    "vectors": _Theory(
        f"(declare-const x {_VECTOR})(declare-const y {_VECTOR})(declare-const z {_VECTOR})",
        {"V": ("x", "y", "z", "#x1", "#x0", "#x8"), "B": ()},
        {
            "V": (
                *("(bvadd {V} {V})", "(bvsub {V} {V})", "(bvmul {V} {V})", "(bvand {V} {V})", "(bvnot {V})"),
                *("(bvudiv {V} {V})", "(bvsdiv {V} {V})", "(bvurem {V} {V})", "(bvshl {V} {V})", "(ite {B} {V} {V})"),
            ),
            "B": ("(= {V} {V})", "(distinct {V} {V} {V})", "(bvult {V} {V})", "(bvslt {V} {V})", "(bvule {V} {V})"),
        },
    ),
    "memory": _Theory(
        f"(declare-const a (Array {_VECTOR} {_VECTOR}))(declare-const b (Array {_VECTOR} {_VECTOR}))"
        f"(declare-const x {_VECTOR})(declare-const y {_VECTOR})",
        {"V": ("x", "y", "#x0", "#x3"), "A": ("a", "b", "a"), "B": ()},
        {
            "V": ("(select {A} {V})", "(bvadd {V} {V})", "(ite {B} {V} {V})"),
            "A": ("(store {A} {V} {V})", "(ite {B} {A} {A})", f"((as const (Array {_VECTOR} {_VECTOR})) {{V}})"),
            "B": (*_EQUAL_ARRAYS, "(= {V} {V})", "(distinct {V} {V} {V})", "(bvult {V} {V})"),
        },
    ),
    "data": _Theory(
        "(declare-datatypes ((D 0)) (((nil) (cons (hd Int) (tl D)))))"
        "(declare-const d D)(declare-const e D)(declare-const i Int)(declare-const j Int)",
        {"I": ("i", "j", "0", "1"), "D": ("d", "e", "nil", "d"), "B": ()},
        {
            "I": ("(+ {I} {I})", "(- {I} {I})", "(ite {B} {I} {I})", "(hd (cons {I} {D}))"),
            "D": ("(cons {I} {D})", "(cons {I} {D})", "(ite {B} {D} {D})", "(tl (cons {I} {D}))"),
            "B": ("(= {D} {D})", "(= {D} {D})", "((_ is nil) {D})", "((_ is cons) {D})", "(< {I} {I})", "(= {I} {I})"),
        },
    ),
    "integers": _Theory(
        "(declare-const i Int)(declare-const j Int)(declare-const k Int)",
        {"I": _I, "B": ()},
        {"I": (*_INTEGERS, "(mod {I} {I})", "(div {I} {I})", "(* {I} {I})"), "B": (*_BETWEEN, "(or {B} {B})")},
    ),
    "reals": _Theory(
        "(declare-const r Real)(declare-const s Real)(declare-const t Real)(declare-const i Int)(declare-const j Int)",
        {"R": ("r", "s", "t", "1.0", "2.0", "0.0"), "I": ("i", "j", "2", "3"), "B": ()},
        {
            "R": ("(+ {R} {R})", "(- {R} {R})", "(* 2.0 {R})", "(ite {B} {R} {R})", "(to_real {I})"),
            "I": ("(+ {I} {I})",),
            "B": (
                *("(< {R} {R})", "(<= {R} {R})", "(= {R} {R})", "(distinct {R} {R} {R})"),
                *("(distinct {I} {I} {I})", "(= {I} {I})"),
            ),
        },
    ),
    "functions": _Theory(
        "(declare-fun f (Int) Int)(declare-const i Int)(declare-const j Int)(declare-const k Int)",
        {"I": _I, "B": ()},
        {"I": (*_INTEGERS, "(f {I})", "(f {I})", "(f {I})"), "B": _BETWEEN},
    ),
    "truths": _Theory(
        "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)",
        {"B": ("p", "q", "r", "p", "q", "true", "false")},
        {"B": (*_TRUTH, "(xor {B} {B})")},
    ),
    "few": _Theory(
        "(declare-datatypes ((C 0) (P 0)) (((red) (green) (blue)) ((pair (left Bool) (right C)))))"
        "(declare-const c C)(declare-const d C)(declare-const e C)(declare-const p P)(declare-const q P)"
        "(declare-const a (Array C Bool))(declare-const b (Array C Bool))",
        {"C": ("c", "d", "e", "c", "d", "red", "blue"), "P": ("p", "q"), "A": ("a", "b"), "B": ()},
        {
            "C": ("(ite {B} {C} {C})", "(right {P})"),
            "P": ("(pair {B} {C})", "(pair true {C})", "(ite {B} {P} {P})"),
            "A": ("(store {A} {C} {B})", "(ite {B} {A} {A})", "((as const (Array C Bool)) {B})"),
            "B": (
                *("(distinct {C} {C})", "(distinct {C} {C} {C})", "(= {C} {C})", "((_ is red) {C})", "(left {P})"),
                *("(distinct {P} {P})", "(= {P} {P})", "(distinct {A} {A})", "(= {A} {A})", "(select {A} {C})"),
            ),
        },
        is_later=True,
    ),
    "records": _Theory(
        f"(declare-datatypes ((R 0)) (((rec (num Int) (row {_ARRAY}) (flag Bool)))))"
        "(declare-const r R)(declare-const s R)(declare-const m (Array Int R))(declare-const n (Array Int R))"
        f"(declare-const a {_ARRAY})(declare-const i Int)(declare-const j Int)",
        {"I": ("i", "j", "0", "1"), "A": ("a", "a"), "R": ("r", "s"), "M": ("m", "n"), "B": ()},
        {
            "I": ("(select {A} {I})", "(num {R})", "(+ {I} {I})", "(ite {B} {I} {I})"),
            "A": (*_arrays_of("Int", "I"), "(row {R})"),
            "R": ("(rec {I} {A} {B})", "(select {M} {I})", "(ite {B} {R} {R})"),
            "M": ("(store {M} {I} {R})", "(ite {B} {M} {M})", "((as const (Array Int R)) {R})"),
            "B": ("(= {R} {R})", "(= {M} {M})", "(= {A} {A})", "(= {I} {I})", "(< {I} {I})", "(flag {R})"),
        },
        is_later=True,
    ),
    "trees": _Theory(
        "(declare-datatypes ((T 0) (F 0)) (((leaf (bit Bool)) (node (kids F))) ((end) (more (first T) (rest F)))))"
        "(declare-const t T)(declare-const u T)(declare-const f F)(declare-const g F)(declare-const x Bool)",
        {"T": ("t", "u", "t"), "F": ("f", "g", "end"), "B": ("x",)},
        {
            "T": ("(leaf {B})", "(node {F})", "(node {F})", "(first (more {T} {F}))", "(ite {B} {T} {T})"),
            "F": ("(more {T} {F})", "(more {T} {F})", "(kids (node {F}))", "(ite {B} {F} {F})"),
            "B": (
                *("(= {T} {T})", "(= {F} {F})", "(distinct {T} {T} {T})", "(distinct {F} {F})", "((_ is leaf) {T})"),
                *("((_ is node) {T})", "((_ is end) {F})", "((_ is more) {F})", "(bit (leaf {B}))"),
            ),
        },
        is_later=True,
    ),
    "maps": _Theory(
        "(declare-const a (Array Bool Int))(declare-const b (Array Bool Int))"
        "(declare-const p (Array (Array Bool Bool) Bool))(declare-const q (Array (Array Bool Bool) Bool))"
        "(declare-const s (Array Bool Bool))(declare-const t (Array Bool Bool))"
        "(declare-const x Bool)(declare-const i Int)",
        {"I": ("i", "0", "1"), "A": ("a", "b"), "P": ("p", "q"), "S": ("s", "t"), "B": ("x", "true")},
        {
            "I": ("(select {A} {B})", "(+ {I} {I})", "(ite {B} {I} {I})"),
            "A": ("(store {A} {B} {I})", "(ite {B} {A} {A})", "((as const (Array Bool Int)) {I})"),
            "S": ("(store {S} {B} {B})", "(ite {B} {S} {S})", "((as const (Array Bool Bool)) {B})"),
            "P": ("(store {P} {S} {B})", "(ite {B} {P} {P})"),
            "B": (
                *("(= {A} {A})", "(= {P} {P})", "(= {S} {S})", "(distinct {S} {S} {S})", "(select {S} {B})"),
                *("(select {P} {S})", "(= {I} {I})", "(< {I} {I})", "(not {B})"),
            ),
        },
        is_later=True,
    ),
    "conversions": _Theory(
        f"(declare-const x {_VECTOR})(declare-const y {_VECTOR})(declare-const i Int)(declare-const j Int)"
        "(declare-const r Real)(declare-const s Real)",
        {"V": ("x", "y", "#x1", "#x8"), "I": ("i", "j", "0", "3", "9"), "R": ("r", "s", "0.5"), "B": ()},
        {
            "V": ("((_ int_to_bv 4) {I})", "(bvadd {V} {V})", "(bvneg {V})", "(ite {B} {V} {V})"),
            "I": (
                *("(ubv_to_int {V})", "(sbv_to_int {V})", "(to_int {R})", "(+ {I} {I})", "(mod {I} 3)", "(* 2 {I})"),
                *("(div {I} 2)", "(abs {I})", "(ite {B} {I} {I})"),
            ),
            "R": ("(to_real {I})", "(/ {R} 2.0)", "(+ {R} {R})", "(- {R} {R})"),
            "B": (
                *("(= {V} {V})", "(bvult {V} {V})", "(bvsle {V} {V})", "(= {I} {I})", "(< {I} {I})", "(is_int {R})"),
                *("(= {R} {R})", "(< {R} {R})", "((_ divisible 3) {I})"),
            ),
        },
        is_later=True,
    ),
    "strings": _Theory(
        "(declare-const s String)(declare-const t String)(declare-const u String)"
        "(declare-const i Int)(declare-const j Int)",
        {"S": ("s", "t", "u", '""', '"a"', '"ab"', '"1"'), "I": ("i", "j", "0", "1"), "L": ("re.allchar",), "B": ()},
        {
            "S": (
                *("(str.++ {S} {S})", "(str.at {S} {I})", "(str.substr {S} {I} {I})", "(str.replace {S} {S} {S})"),
                *("(str.from_int {I})", "(ite {B} {S} {S})", "(str.replace_all {S} {S} {S})"),
            ),
            "I": ("(str.len {S})", "(str.indexof {S} {S} {I})", "(str.to_int {S})", "(+ {I} {I})", "(- {I} {I})"),
            "L": ("(str.to_re {S})", "(re.* {L})", "(re.++ {L} {L})", "(re.union {L} {L})", "(re.comp {L})"),
            "B": (
                *("(= {S} {S})", "(= {S} {S})", "(str.prefixof {S} {S})", "(str.suffixof {S} {S})", "(= {I} {I})"),
                *("(str.contains {S} {S})", "(str.< {S} {S})", "(str.in_re {S} {L})", "(< {I} {I})"),
            ),
        },
        is_later=True,
    ),
    "sequences": _Theory(
        "(declare-const s (Seq Int))(declare-const t (Seq Int))(declare-const u (Seq Int))"
        "(declare-const i Int)(declare-const j Int)",
        {"S": ("s", "t", "u", "(as seq.empty (Seq Int))"), "I": ("i", "j", "0", "1"), "B": ()},
        {
            "S": (
                *("(seq.++ {S} {S})", "(seq.at {S} {I})", "(seq.extract {S} {I} {I})", "(seq.unit {I})"),
                *("(seq.replace {S} {S} {S})", "(ite {B} {S} {S})"),
            ),
            "I": ("(seq.len {S})", "(seq.indexof {S} {S} {I})", "(+ {I} {I})", "(- {I} {I})", "(seq.nth {S} {I})"),
            "B": (
                *("(= {S} {S})", "(= {S} {S})", "(seq.prefixof {S} {S})", "(seq.suffixof {S} {S})", "(= {I} {I})"),
                *("(seq.contains {S} {S})", "(< {I} {I})", "(distinct {S} {S} {S})"),
            ),
        },
        is_later=True,
    ),
    "floats": _Theory(
        "(declare-const f (_ FloatingPoint 3 4))(declare-const g (_ FloatingPoint 3 4))"
        "(declare-const m RoundingMode)(declare-const x (_ BitVec 7))",
        {
            "F": ("f", "g", "f", "(_ +zero 3 4)", "(_ NaN 3 4)", "(_ -oo 3 4)"),
            "M": ("m", "RNE", "RTZ", "RTP"),
            "V": ("x", "#b0000001"),
            "B": (),
        },
        {
            "F": (
                *("(fp.add {M} {F} {F})", "(fp.mul {M} {F} {F})", "(fp.div {M} {F} {F})", "(fp.sqrt {M} {F})"),
                *("(fp.neg {F})", "(fp.abs {F})", "(fp.rem {F} {F})", "(fp.roundToIntegral {M} {F})"),
                *("(fp.min {F} {F})", "(fp.fma {M} {F} {F} {F})", "(ite {B} {F} {F})"),
                *("((_ to_fp 3 4) {V})", "((_ to_fp_unsigned 3 4) {M} {V})"),
            ),
            "M": ("(ite {B} {M} {M})",),
            "V": ("((_ fp.to_ubv 7) {M} {F})", "((_ fp.to_sbv 7) {M} {F})", "(bvadd {V} {V})"),
            "B": (
                *("(= {F} {F})", "(fp.eq {F} {F})", "(fp.lt {F} {F})", "(fp.leq {F} {F})", "(fp.isNaN {F})"),
                *("(fp.isNormal {F})", "(fp.isSubnormal {F})", "(fp.isNegative {F})", "(= {V} {V})", "(= {M} {M})"),
                "(distinct {F} {F} {F})",
            ),
        },
        is_later=True,
    ),
    "sets": _Theory(
        "(declare-const s (Set Int))(declare-const t (Set Int))(declare-const u (Set Int))"
        "(declare-const i Int)(declare-const j Int)",
        {"S": ("s", "t", "u", "(as set.empty (Set Int))"), "I": ("i", "j", "0", "1"), "B": ()},
        {
            "S": (
                *("(set.union {S} {S})", "(set.inter {S} {S})", "(set.minus {S} {S})", "(set.singleton {I})"),
                *("(ite {B} {S} {S})",),
            ),
            "I": ("(set.card {S})", "(+ {I} {I})", "(ite {B} {I} {I})"),
            "B": ("(= {S} {S})", "(set.subset {S} {S})", "(set.member {I} {S})", "(= {I} {I})", "(< {I} {I})"),
        },
        is_later=True,
    ),
    # SMT-LIB does not define `(hd nil)`, so testers guard selectors. Spacer refuses most rules with `(= e (cons ...))`.
    "fields": _Theory(
        "(declare-datatypes ((D 0)) (((nil) (cons (hd Int) (tl D)))))"
        "(declare-const d D)(declare-const e D)(declare-const i Int)(declare-const j Int)",
        {"I": ("i", "j", "0", "1"), "D": ("d", "e", "nil", "d"), "B": ()},
        {
            "I": ("(+ {I} {I})", "(ite ((_ is cons) d) (hd d) {I})", "(ite ((_ is cons) e) (hd e) {I})"),
            "D": (
                *("(cons {I} {D})", "(ite {B} {D} {D})", "(ite ((_ is cons) d) (tl d) {D})"),
                "(ite ((_ is cons) e) (cons (hd e) (tl e)) {D})",
            ),
            "B": (
                *("(= {D} {D})", "(distinct {D} {D})", "((_ is cons) {D})", "(< {I} {I})"),
                *("(= {D} (ite ((_ is cons) d) (cons (hd d) (tl d)) {D}))", "(= e (cons (hd e) (tl e)))"),
                *("(and ((_ is cons) d) (< {I} (hd d)))", "(and ((_ is cons) e) (= {D} (tl e)))"),
                "(or ((_ is nil) e) (distinct (hd e) {I}))",
            ),
        },
        is_later=True,
    ),
}


@lru_cache(maxsize=64)
def declared_in(theory: str) -> Problem:
    """Return the problem without assertions that declares the constants and functions of a theory."""
    return parse.problem(THEORIES[theory].declared)


def drawn_with_model(theory: str, choices: Choices) -> tuple[Problem, dict[str, Term]]:
    """Draw a problem of one to four literals over the constants of a theory, which are true in the drawn model."""
    declared = declared_in(theory)
    formulas = [_formula(THEORIES[theory], declared, choices) for _ in range(choices.pick(_LITERALS))]
    problem = declared.with_assertions(tuple(map(Assertion, formulas)))
    model = _fitting_model(problem, choices)
    return oriented(problem, model) or declared.with_assertions([Assertion(TRUE)]), model


def _fitting_model(problem: Problem, choices: Choices) -> dict[str, Term]:
    """Draw some models, and turn the one under which most formulas are true to the equalities that it falsifies."""
    drawn = [drawn_model(problem.functions, choices) for _ in range(_MODELS)]
    models = [model for model in drawn if model is not None]
    return turned_to_equalities(problem, max(models, key=lambda model: true_formulas(problem, model)))


def _formula(theory: _Theory, declared: Problem, choices: Choices) -> Term:
    return parse.parse_term(_text(theory, "B", choices, 1 + choices.pick(_FUEL)), (), declared)


def _text(theory: _Theory, sort: str, choices: Choices, fuel: int) -> str:
    """Draw the text of a term; without fuel, a leaf, or for a Bool without leaves a literal over leaves."""
    leaves = theory.leaves.get(sort, ())
    if leaves and (fuel <= 0 or (sort != "B" and not choices.index(3))):
        return choices.pick(leaves)
    templates = theory.operators[sort]
    if fuel <= 0:
        templates = tuple(each for each in templates if "{B}" not in each)
    template = choices.pick(templates)
    return _HOLE.sub(lambda hole: _text(theory, hole[1], choices, fuel - 1), template)
