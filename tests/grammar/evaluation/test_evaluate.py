"""The evaluator against hand-made values, and against Z3 on drawn ground terms of every theory."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import cvc5
import pytest
import z3
from chcfuzz.domains.chc.oracles.evidence import values_script
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Constructed, Ground, array_value, as_term, domain, has_sort
from chcfuzz.grammar.printing.printer import print_system, print_term
from chcfuzz.grammar.reading.parse import parse, parse_term
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Apply,
    Atom,
    Quantifier,
    Term,
    Value,
    Variable,
    apply,
    free_variables,
    integer,
    negation,
    vector,
)
from chcfuzz.grammar.theory import operator_names

SYSTEM = parse("""
    (declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))
    (declare-datatypes ((Colour 0)) (((red) (green) (|deep blue|))))
    (declare-datatypes ((Pair 0)) (((pair (left Bool) (right Colour)))))
    (declare-datatypes ((Unit 0)) (((unit))))
    (declare-fun p (Int) Bool)
""")
LIST, COLOUR, PAIR, UNIT = (group[0].sort for group in SYSTEM.datatypes)
UNARY = {"bvnot", "bvneg", "bv2nat"}
X, B = Variable("x", INT), Variable("b", BOOL)


def value_of(text: str) -> object:
    return evaluate(parse_term(text, [X, B], SYSTEM), {})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(- 7 1 2)", 4),
        ("(div 7 2)", 3),
        ("(div (- 7) 2)", -4),
        ("(div 7 (- 2))", -3),
        ("(div (- 7) (- 2))", 4),
        ("(mod (- 7) 2)", 1),
        ("(mod (- 7) (- 2))", 1),
        ("(rem 7 (- 2))", -1),
        ("(abs (- 3))", 3),
        ("(int.pow2 5)", 32),
        ("(int.pow2 (- 1))", 0),
        ("(int.log2 9)", 3),
        ("(int.log2 0)", 0),
        ("(/ 1.0 3.0)", Fraction(1, 3)),
        ("(to_int (- 0.5))", -1),
        ("(is_int 2.0)", True),
        ("(< 1 2 2)", False),
        ("(distinct 1 2 1)", False),
        ("(xor true true true)", True),
        ("(=> true false true)", True),
        ("(=> true true false)", False),
        ("(bvsdiv #x80 #xff)", 0x80),
        ("(bvsdiv #x85 #x00)", 1),
        ("(bvsdiv #x05 #x00)", 255),
        ("(bvsrem #xf9 #x02)", 255),
        ("(bvsmod #xf9 #x02)", 1),
        ("(bvudiv #x07 #x00)", 255),
        ("(bvurem #x07 #x00)", 7),
        ("(bvashr #x80 #x09)", 255),
        ("(concat #b1 #x0 #b1)", 0b100001),
        ("((_ extract 5 2) #b00110100)", 0b1101),
        ("((_ sign_extend 4) #x8)", 0xF8),
        ("((_ rotate_left 9) #x81)", 0x03),
        ("((_ rotate_right 1) #x81)", 0xC0),
        ("((_ repeat 2) #b01)", 0b0101),
        ("(bv2nat #xff)", 255),
        ("((_ int2bv 4) (- 1))", 15),
        ("(select (store ((as const (Array Int Int)) 7) 1 2) 1)", 2),
        ("(select (store ((as const (Array Int Int)) 7) 1 2) 3)", 7),
        ("(head (tail (cons 1 (cons 2 nil))))", 2),
        ("((_ is cons) nil)", False),
        ("(= (cons 1 nil) (cons (+ 0 1) nil))", True),
    ],
)
def test_values_follow_smtlib(text: str, value: object) -> None:
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "(div 1 0)",
        "(mod 1 0)",
        "(/ 1.0 0.0)",
        "(head nil)",
        "(+ x 1)",
        "(p 1)",
        "(= (div 1 0) 2)",
        "(ite b 1 2)",
        "(forall ((y Int)) (> y x))",
        "(exists ((y Int)) (= y 3))",
        "(select ((as const (Array Int Int)) x) 1)",
    ],
)
def test_what_smtlib_leaves_open_is_undetermined(text: str) -> None:
    assert value_of(text) is UNDETERMINED


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(and b false)", False),
        ("(or b true)", True),
        ("(=> b true)", True),
        ("(=> false b)", True),
        ("(= 1 x 2)", False),
        ("(distinct 1 x 1)", False),
        ("(ite b 1 1)", 1),
        ("(exists ((y Int)) (or (= y 3) true))", True),
        ("(forall ((y Int)) (and (= y 3) false))", False),
    ],
)
def test_connectives_look_past_what_is_undetermined(text: str, value: object) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(forall ((c Bool)) (or c (not c)))", True),
        ("(exists ((v (_ BitVec 3))) (= (bvmul v #b011) #b001))", True),
        ("(forall ((c Colour) (d Colour)) (= c d))", False),
        ("(exists ((q Pair)) (and (left q) (= (right q) green)))", True),
        ("(exists ((a (Array Bool Bool))) (distinct (select a true) (select a false)))", True),
        ("(forall ((c Bool)) (= (ite c 1 2) (ite c 1 (div 1 0))))", UNDETERMINED),
        ("(exists ((v (_ BitVec 64))) (= v #x0000000000000001))", UNDETERMINED),
    ],
)
def test_quantifiers_over_few_values_are_decided(text: str, value: object) -> None:
    assert value_of(text) is value


def test_a_number_of_more_than_4000_digits_is_undetermined() -> None:
    long = "7" * 3000
    assert value_of(f"(* {long} {long})") is UNDETERMINED
    assert value_of(f"(int.pow2 {long})") is UNDETERMINED
    assert value_of(f"(< 0 (* {long} {long}))") is UNDETERMINED
    assert value_of(f"(/ 1.0 (* {long}.0 {long}.0))") is UNDETERMINED
    assert value_of("(bv2nat ((_ repeat 60000) #b1))") is UNDETERMINED
    assert value_of(f"(- {'9' * 4000})") == 1 - 10**4000
    assert value_of(f"(/ 1.0 {'9' * 3999}.0)") == Fraction(1, 10**3999 - 1)


def test_squares_of_squares_end_before_they_fill_the_memory() -> None:
    square: Term = integer(7)
    for _ in range(60):
        square = apply("*", square, square)
    assert evaluate(square, {}) is UNDETERMINED


def test_variables_and_predicates_take_the_values_given() -> None:
    term = parse_term("(and (p (+ x 1)) (not (p x)))", [X], SYSTEM)
    queries = []

    def only_four(_predicate: object, args: tuple[Ground, ...]) -> bool:
        queries.append(args)
        return args == (4,)

    assert evaluate(term, {X: 3}, only_four) is True
    assert evaluate(term, {X: 4}, only_four) is False
    assert queries == [(4,), (3,), (5,), (4,)]


def test_a_bound_variable_hides_the_value_of_a_free_one() -> None:
    term = Quantifier("exists", (B,), B)
    assert evaluate(term, {B: False}) is True


@pytest.mark.slow
def test_deep_values_do_not_reach_the_recursion_limit() -> None:
    term = parse_term("nil", (), SYSTEM)
    for n in range(20_000):
        term = Apply("cons", (Value(n, INT), term), LIST)
    value = evaluate(term, {})
    assert isinstance(value, Constructed)
    assert as_term(value, LIST) is term


# Drawn terms. For each sort the operators that give it, with the sorts that they take.

SORTS = {
    "Bool": BOOL, "Int": INT, "Real": REAL, "V2": bitvec(2), "V4": bitvec(4), "V8": bitvec(8),
    "List": LIST, "Colour": COLOUR, "Pair": PAIR,
    "Ints": array(INT, INT), "Flags": array(BOOL, bitvec(4)), "Deep": array(bitvec(2), array(COLOUR, INT)),
    "Row": array(COLOUR, INT), "Unit": UNIT, "Lonely": array(INT, UNIT), "Single": array(array(INT, UNIT), INT),
}  # fmt: skip
OPERATORS = """
    Bool: not Bool; and Bool Bool Bool; or Bool Bool; xor Bool Bool; => Bool Bool; ite Bool Bool Bool
    Bool: = Int Int; = Ints Ints; = Flags Flags; = List List; = Deep Deep; distinct V4 V4 V4; < Int Int
    Bool: <= Real Real; > Real Real; >= Int Int Int; is_int Real; left Pair; bvult V4 V4; bvule V8 V8
    Bool: bvugt V4 V4; bvuge V4 V4; bvslt V4 V4; bvsle V8 V8; bvsgt V4 V4; bvsge V4 V4
    Bool: (_ is cons) List; (_ is |deep blue|) Colour
    Int: + Int Int; - Int Int; - Int; * Int Int; div Int Int; mod Int Int; abs Int; to_int Real
    Int: bv2nat V8; select Ints Int; head List; select Row Colour; ite Bool Int Int
    Real: + Real Real; - Real Real; * Real Real; / Real Real; to_real Int; ite Bool Real Real
    V2: (_ extract 2 1) V4; bvadd V2 V2
    V4: (_ extract 6 3) V8; select Flags Bool; (_ repeat 2) V2; concat V2 V2; bvsdiv V4 V4
    V4: bvsrem V4 V4; bvsmod V4 V4; bvudiv V4 V4; bvurem V4 V4; bvnot V4; bvneg V4; bvand V4 V4
    V4: bvor V4 V4 V4; bvxor V4 V4; bvnand V4 V4; bvnor V4 V4; bvxnor V4 V4; bvadd V4 V4 V4
    V4: bvsub V4 V4; bvmul V4 V4; bvshl V4 V4; bvlshr V4 V4; bvashr V4 V4; (_ int2bv 4) Int
    V4: (_ rotate_left 3) V4; (_ rotate_right 5) V4
    V8: (_ zero_extend 4) V4; (_ sign_extend 6) V2; concat V4 V2 V2; bvsdiv V8 V8; bvsmod V8 V8
    V8: bvashr V8 V8; ite Bool V8 V8
    Ints: store Ints Int Int; ite Bool Ints Ints
    Flags: store Flags Bool V4
    Deep: store Deep V2 Row
    Row: store Row Colour Int; select Deep V2
    List: cons Int List; tail List; ite Bool List List
    Colour: right Pair; ite Bool Colour Colour
    Pair: pair Bool Colour
    Bool: = Single Single; = Lonely Lonely
    Int: select Single Lonely
    Unit: select Lonely Int; ite Bool Unit Unit
    Lonely: store Lonely Int Unit; ite Bool Lonely Lonely
    Single: store Single Lonely Int; ite Bool Single Single
"""
TABLE: dict[str, list[list[str]]] = {name: [] for name in SORTS}
for line in OPERATORS.strip().splitlines():
    result, rows = line.strip().split(":")
    TABLE[result] += [re.findall(r"\(.*?\)|[^ ]+", row) for row in rows.split(";")]


def drawn(choices: Choices, name: str, depth: int, bound: Sequence[Variable] = ()) -> Term:
    """A term of the sort, which may hold the variables."""
    of = SORTS[name]
    usable = [variable for variable in bound if variable.sort is of]
    if usable and choices.boolean():
        return choices.pick(usable)
    if depth == 0 or not TABLE[name]:
        return as_term(small_value(choices, of), of)
    if name == "Bool" and choices.index(12) == 0:
        variable = Variable(f"q{len(bound)}", SORTS[choices.pick(["Bool", "V2", "Colour"])])
        body = drawn(choices, "Bool", depth - 1, [*bound, variable])
        return Quantifier(choices.pick(["forall", "exists"]), (variable,), body)
    operator, *takes = choices.pick(TABLE[name])
    return Apply(operator, [drawn(choices, sort, depth - 1, bound) for sort in takes], of)


def small_value(choices: Choices, of: Sort) -> Ground:
    if of is INT:
        return choices.integer(-4, 8)
    if of is REAL:
        return Fraction(choices.integer(-6, 6), choices.integer(1, 3))
    if of.is_array:
        default = small_value(choices, of.element)
        indices = [small_value(choices, of.index) for _ in range(choices.index(4))]
        return array_value(of.index, default, {i: small_value(choices, of.element) for i in indices})
    if of is LIST:
        items = Constructed(LIST, "nil")
        for _ in range(choices.index(3)):
            items = Constructed(LIST, "cons", (choices.integer(0, 3), items))
        return items
    values = domain(of, 256)
    assert values is not None
    return choices.pick(values)


RLIMIT = 1_000_000  # of a claim: each but a few takes less than a hundredth of it


def drawn_term(number: int) -> tuple[str, Term]:
    names = list(SORTS)
    choices = Choices(hashlib.shake_256(b"ground term %d" % number).digest(4000))
    name = names[number % len(names)]
    return name, drawn(choices, name, 1 + choices.index(5))


def drawn_terms(number: int) -> list[tuple[str, Term]]:
    return list(map(drawn_term, range(number)))


@pytest.mark.parametrize("number", [1500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_z3_agrees_on_ground_terms_of_every_theory(number: int) -> None:
    claims, undetermined = [], 0
    for name, term in drawn_terms(number):
        value = evaluate(term, {})
        if value is UNDETERMINED:
            undetermined += 1
        else:
            claims.append(apply("=", term, as_term(value, SORTS[name])))
    assert undetermined < number // 8
    declared = [line for line in print_system(SYSTEM).splitlines() if "declare-datatypes" in line]
    asserted = [f"(assert {print_term(claim)})" for claim in claims]
    context = z3.Context()
    parsed = z3.parse_smt2_string("\n".join(declared + asserted), ctx=context)
    assert len(parsed) == len(claims)
    solver = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", RLIMIT)
    unknown = 0
    for claim, formula in zip(claims, parsed, strict=True):
        solver.push()
        solver.add(z3.Not(formula))
        output = solver.check()
        assert output != z3.sat, print_term(claim)
        unknown += output == z3.unknown
        solver.pop()
    assert unknown <= number // 1000  # a quantifier over data types may keep Z3 busy for ever


def answers_of_cvc5(claims: Sequence[Term]) -> Iterator[str]:
    """Yield the answers of cvc5 to negated claims, from a new solver each: "refused" for one that it does not read."""
    for each in claims:
        solver = cvc5.Solver(cvc5.TermManager())
        for option, value in (("rlimit-per", str(RLIMIT)), ("arrays-exp", "true")):
            solver.setOption(option, value)
        parser = cvc5.InputParser(solver)
        script = values_script(SYSTEM, (), (), [negation(each)])
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "claim")
        found = ""
        try:
            while not found and not (command := parser.nextCommand()).isNull():
                found = str(command.invoke(solver, parser.getSymbolManager())).strip()
        except RuntimeError:
            found = "refused"
        yield found if found in ("sat", "unsat", "refused") else "unknown"


@pytest.mark.parametrize("number", [300, pytest.param(4000, marks=pytest.mark.slow)])
def test_cvc5_agrees_on_ground_terms_of_every_theory(number: int) -> None:
    values = [(name, term, evaluate(term, {})) for name, term in drawn_terms(number)]
    claims = [
        apply("=", term, as_term(value, SORTS[name])) for name, term, value in values if value is not UNDETERMINED
    ]
    answers = list(answers_of_cvc5(claims))
    assert [print_term(claim) for claim, answer in zip(claims, answers, strict=True) if answer == "sat"] == []
    assert answers.count("unsat") > 3 * len(claims) // 4  # cvc5 does not read every constant array


def test_drawn_terms_use_every_operator() -> None:
    used = set()
    for _, term in drawn_terms(1500):
        stack = [term]
        while stack:
            here = stack.pop()
            stack.extend(here.children)
            if isinstance(here, Apply):
                used.add(here.operator)
        assert free_variables(term) == ()
    assert {operator for rows in TABLE.values() for operator, *_ in rows} <= used


def test_a_value_given_back_as_a_term_has_that_value() -> None:
    for name, term in drawn_terms(300):
        value = evaluate(term, {})
        if value is not UNDETERMINED:
            assert evaluate(as_term(value, SORTS[name]), {}) == value
    assert as_term(True, BOOL) is TRUE
    assert evaluate(FALSE, {}) is False
    assert not any(isinstance(t, Atom) for _, t in drawn_terms(3))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SORTS))
def test_what_evaluation_gives_has_the_sort_of_its_term(name: str) -> None:
    values = [evaluate(term, {}) for drawn, term in drawn_terms(600) if drawn == name]
    known = [value for value in values if value is not UNDETERMINED]
    assert known
    assert all(has_sort(value, SORTS[name]) for value in known)


SMALL: dict[Sort, list[Term]] = {
    BOOL: [TRUE, FALSE],
    INT: [integer(number) for number in (-3, -2, 0, 1, 2)],
    REAL: [Apply("/", (Value(Fraction(number), REAL), Value(Fraction(2), REAL))) for number in (-3, 0, 1, 2)],
    bitvec(3): [vector(number, 3) for number in range(8)],
}
CHAINED = {
    BOOL: ("and", "or", "xor", "=>", "=", "distinct"),
    INT: ("+", "-", "*", "<", "<=", ">", ">=", "=", "distinct"),
    REAL: ("+", "-", "*", "<", "<=", ">", ">=", "="),
}
BINARY = {
    INT: ("div", "mod"),
    REAL: ("/",),
    bitvec(3): tuple(sorted(name for name in operator_names(is_smt=False) - UNARY if name.startswith("bv"))),
}


@pytest.mark.parametrize(
    ("sort", "operator", "number"),
    [
        *((sort, operator, 3) for sort, operators in CHAINED.items() for operator in operators),
        *((sort, operator, 2) for sort, operators in BINARY.items() for operator in operators),
        *((bitvec(3), operator, 1) for operator in sorted(UNARY)),
    ],
)
def test_z3_agrees_on_all_small_values_of_an_operator(sort: Sort, operator: str, number: int) -> None:
    terms = [Apply(operator, args) for args in product(SMALL[sort], repeat=number)]
    values = [evaluate(term, {}) for term in terms]
    claims = [
        apply("=", term, as_term(value, term.sort))
        for term, value in zip(terms, values, strict=True)
        if value is not UNDETERMINED
    ]
    assert len(claims) > len(terms) // 2
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.from_string(f"(assert (not (and {' '.join(map(print_term, claims))})))")
    assert solver.check() == z3.unsat
