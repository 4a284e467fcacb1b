"""Strings and regular expressions: each edge case with its sentence of SMT-LIB's theory of Unicode strings."""

import time
from collections import Counter
from itertools import pairwise, product

import cvc5
import pytest
import z3
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluation import languages
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.languages import Language
from chcfuzz.grammar.evaluation.values import UNDETERMINED, as_term, has_sort
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import judge
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Term, Value, Variable, apply, integer
from chcfuzz.grammar.theories.strings import MOST_CHARACTERS, REGLAN, STRING, Strings, string

from tests.grammar.theories.horn_answers import answer_to
from tests.grammar.theories.string_terms import drawn_claims

X, N, R = Variable("x", STRING), Variable("n", INT), Variable("r", REGLAN)
DECLARED = "(declare-const s String)(declare-const n Int)"


def value(text: str) -> object:
    return evaluate(parse.parse_term(text, [X, N, R]), {})


@pytest.mark.parametrize(
    ("text", "expected", "_sentence"),
    [
        ('"\\u{41}\\u0042\\u{00043}"', "ABC", "\\ud3d2d1d0, \\u{d0} to \\u{d4d3d2d1d0} are escapes of one character"),
        ('"\\u{2FFFF}\\u{2ffff}"', "\U0002ffff" * 2, "d4 is restricted to the range 0-2, digits of both cases"),
        ('"\\u{30000}"', "\\u{30000}", "d4 is restricted to the range 0-2, so this is not an escape"),
        ('"\\u{12"', "\\u{12", "a cut escape is the characters that it is written with"),
        ('"\\u{}\\u{000041}\\u004\\x41"', "\\u{}\\u{000041}\\u004\\x41", "other sequences are not escapes"),
        ('"\\u{d800}"', "\ud800", "all code points from 0 to 0x2FFFF are characters, surrogates too"),
        ('"a""b"', 'a"b', "a quote is written twice"),
        ("(_ char #x2ffff)", "\U0002ffff", "(_ char H) is the string of one character with this code"),
        ('(str.++ "ab" "" "c")', "abc", "concatenation"),
        ('(str.len "\\u{2ffff}")', 1, "the number of characters"),
        ('(str.< "" "a")', True, "lexicographic order, the empty string is the least"),
        ('(str.< "a" "a")', False, "the order is strict"),
        ('(str.< "Z" "a" "b")', True, "str.< is chainable, and compares codes"),
        ('(str.<= "a" "a" "ab")', True, "its reflexive closure"),
        ('(str.at "abc" 1)', "b", "the character at a position"),
        ('(str.at "abc" (- 1))', "", "the empty string if the position is negative"),
        ('(str.at "abc" 3)', "", "the empty string if the position is not smaller than the length"),
        ('(str.substr "abcd" 1 2)', "bc", "a substring by position and length"),
        ('(str.substr "abcd" 2 9)', "cd", "the longest one that starts there, if the length is too large"),
        ('(str.substr "abcd" (- 1) 2)', "", "the empty string if the position is negative"),
        ('(str.substr "abcd" 4 1)', "", "the empty string if the position is not smaller than the length"),
        ('(str.substr "abcd" 1 0)', "", "the empty string if the length is not positive"),
        ('(str.substr "abcd" 1 (- 2))', "", "the empty string if the length is negative"),
        ('(str.prefixof "" "a")', True, "the empty string is a prefix of all"),
        ('(str.prefixof "ab" "a")', False, "the first argument is the prefix"),
        ('(str.suffixof "b" "ab")', True, "the first argument is the suffix"),
        ('(str.contains "abc" "bc")', True, "the first argument contains the second"),
        ('(str.contains "" "")', True, "the empty string is a substring of all"),
        ('(str.indexof "abab" "b" 2)', 3, "the first occurrence at a position or after it"),
        ('(str.indexof "abab" "c" 0)', -1, "-1 if there is no occurrence"),
        ('(str.indexof "abab" "a" (- 1))', -1, "-1 if the position is negative"),
        ('(str.indexof "ab" "a" 5)', -1, "-1 if the position is larger than the length"),
        ('(str.indexof "ab" "" 2)', 2, "the position itself for the empty pattern, in 0 to the length"),
        ('(str.indexof "ab" "" 3)', -1, "-1 for the empty pattern behind the length"),
        ('(str.replace "aba" "a" "x")', "xba", "the first occurrence is replaced"),
        ('(str.replace "ab" "" "x")', "xab", "the replacement is put in front for the empty pattern"),
        ('(str.replace "" "" "x")', "x", "the empty string has an occurrence of the empty string"),
        ('(str.replace_all "aaa" "aa" "b")', "ba", "occurrences are replaced from left to right"),
        ('(str.replace_all "ab" "" "x")', "ab", "nothing is replaced for the empty pattern"),
        ('(str.replace_re "xaab" (re.+ (str.to_re "a")) "-")', "x-ab", "the shortest leftmost match is replaced"),
        ('(str.replace_re "ab" (re.* (str.to_re "a")) "-")', "-ab", "an empty match puts the replacement in front"),
        ('(str.replace_re "ab" re.none "-")', "ab", "the string itself if there is no match"),
        ('(str.replace_re_all "aab" (re.* (str.to_re "a")) "-")', "--b", "shortest non-empty matches are replaced"),
        ('(str.replace_re_all "abab" (str.to_re "ab") "ab")', "abab", "replacements are not searched again"),
        ('(str.is_digit "7")', True, "one character from 0 to 9"),
        ('(str.is_digit "77")', False, "only strings of one character"),
        ('(str.is_digit "\\u{663}")', False, "other digits of Unicode are not digits"),
        ('(str.to_code "a")', 97, "the code of the only character"),
        ('(str.to_code "")', -1, "-1 for strings that do not have one character"),
        ('(str.to_code "ab")', -1, "-1 for strings that do not have one character"),
        ("(str.from_code 196607)", "\U0002ffff", "the character of a code up to 196607"),
        ("(str.from_code 196608)", "", "the empty string for other numbers"),
        ("(str.from_code (- 1))", "", "the empty string for other numbers"),
        ('(str.to_int "0012")', 12, "leading zeros do not matter"),
        ('(str.to_int "")', -1, "-1 for the empty string"),
        ('(str.to_int "-1")', -1, "-1 for strings with other characters than digits"),
        ("(str.from_int 0)", "0", "the shortest numeral"),
        ("(str.from_int (- 3))", "", "the empty string for negative numbers"),
        ('(str.in_re "" re.none)', False, "the empty language"),
        ('(str.in_re "\\u{0}" re.allchar)', True, "all strings of one character"),
        ('(str.in_re "ab" re.allchar)', False, "all strings of one character"),
        ('(str.in_re "" re.all)', True, "all strings"),
        ('(str.in_re "b" (re.range "a" "c"))', True, "a character between the bounds, both included"),
        ('(str.in_re "a" (re.range "c" "a"))', False, "empty if the first bound is larger"),
        ('(str.in_re "b" (re.range "a" "cc"))', False, "empty unless both bounds have one character"),
        ('(str.in_re "" (re.* re.none))', True, "the closure has the empty string"),
        ('(str.in_re "" (re.+ (str.to_re "a")))', False, "at least one"),
        ('(str.in_re "" (re.opt (str.to_re "a")))', True, "at most one"),
        ('(str.in_re "" ((_ re.^ 0) re.none))', True, "the power 0 has only the empty string"),
        ('(str.in_re "aaa" ((_ re.^ 3) (str.to_re "a")))', True, "a power"),
        ('(str.in_re "aaa" ((_ re.loop 1 2) (str.to_re "a")))', False, "from the first to the second number of times"),
        ('(str.in_re "a" ((_ re.loop 2 1) (str.to_re "a")))', False, "empty if the first number is larger"),
        ('(str.in_re "b" (re.comp (str.to_re "a")))', True, "the complement"),
        ('(str.in_re "" (re.comp (str.to_re "a")))', True, "the complement in all strings"),
        ('(str.in_re "b" (re.diff re.all (str.to_re "a") (str.to_re "b")))', False, "re.diff is left-associative"),
        ('(str.in_re "ab" (re.inter (re.++ re.allchar re.all) (str.to_re "ab")))', True, "the intersection"),
        ('(= (re.* (re.opt (str.to_re "a"))) (re.* (str.to_re "a")))', True, "equality of languages"),
        ('(distinct (re.* (str.to_re "a")) (re.+ (str.to_re "a")))', True, "equality of languages"),
    ],
)  # fmt: skip
def test_values_follow_smtlib(text: str, expected: object, _sentence: str) -> None:
    assert value(text) == expected
    assert type(value(text)) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(str.rev "abc")', "cba"),
        ('(str.to_lower "AbZ\\u{c4}")', "abz\xc4"),
        ('(str.to_upper "abZ")', "ABZ"),
        ('(str.update "abc" 1 "xyz")', "axy"),
        ('(str.update "abc" 3 "x")', "abc"),
        ('(str.indexof_re "abc" (re.opt (str.to_re "c")) 1)', 1),
        ('(str.indexof_re "abc" (str.to_re "c") 0)', 2),
        ('(str.indexof_re "abc" re.all 4)', -1),
        ("(str.from_ubv #xff)", "255"),
        ("(str.from_sbv #xff)", "-1"),
    ],
)
def test_operators_of_one_solver_have_its_values(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ('(str.in.re x (str.to.re "a"))', '(str.in_re x (str.to_re "a"))'),
        ("(= (str.to.int x) n)", "(= (str.to_int x) n)"),
        ('(re.loop (str.to_re "a") 1 3)', '((_ re.loop 1 3) (str.to_re "a"))'),
        ('(re.loop (str.to_re "a") 2)', '(re.++ ((_ re.^ 2) (str.to_re "a")) (re.* (str.to_re "a")))'),
        ("(str.++ x)", "x"),
        ('"\\u{30000}\t"', '"\\u{5c}u{30000}\\u{9}"'),
        ("re.allchar", "re.allchar"),
    ],
)
def test_other_forms_are_read(text: str, canonical: str) -> None:
    read = parse.parse_term(text, [X, N, R])
    assert print_term(read) == canonical
    assert parse.parse_term(canonical, [X, N, R]) is read


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('(assert (= "é" ""))', r"U\+00E9 in a string, where SMT-LIB writes \\u\{e9\}"),
        ("(assert (= (_ char #x30000) (_ char #x1)))", "characters end with #x2ffff"),
        (f'(assert (= "{"a" * 1_000_000}" ""))', f"a string of 1000000 characters; {MOST_CHARACTERS} are read"),
        ('(assert (= "abc', "unexpected"),
        ("(assert (str.len 1))", "str.len is not defined on"),
        ('(assert (str.in_re "" (re.loop re.all 1 2 3)))', "one or two numerals"),
        ("(declare-const a (Array Int RegLan))", "RegLan cannot be inside of another sort"),
        ("(declare-datatypes ((A 0)) (((a (b RegLan)))))", "RegLan cannot be inside of another sort"),
        ("(assert (str.unknown 1))", "this operator of strings is not supported, at `str.unknown`"),
    ],
    ids=range(9),
)
def test_a_wrong_text_is_refused(text: str, error: str) -> None:
    with pytest.raises(ChcfuzzError, match=error) as refused:
        parse.problem(text)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        # (a|b)*a(a|b)^100 has 2^100 states as a deterministic automaton, and so has its complement.
        '(= (re.++ (re.* (re.range "a" "b")) (str.to_re "a") ((_ re.^ 100) (re.range "a" "b"))) (re.+ re.allchar))',
        f'(str.in_re "{"ab" * 40000}" (re.++ re.all (str.to_re "ba") ((_ re.^ 2000) (re.opt (str.to_re "ab")))))',
        f'(str.replace_re_all "{"a" * 90000}" (re.++ (re.* (str.to_re "a")) (str.to_re "b")) "")',
        '(str.in_re x {}(re.++ (str.to_re "a") re.allchar){})'.format("(re.comp (re.++ re.all " * 400, "))" * 400),
        f'(str.++ "{"a" * 60000}" "{"a" * 60000}")',
        f'(str.replace_all "{"a" * 60000}" "a" "bb")',
        f'(str.to_int "1{"0" * 5000}")',
        f"(str.from_ubv #x{'f' * 4000})",
        f"(str.from_sbv #x{'8' * 4000})",
        "(str.in_re x {}{}{})".format(
            f'(let ((r0 (str.to_re "{"ab" * 500}"))) ',
            "".join(f"(let ((r{n + 1} (re.++ r{n} r{n}))) " for n in range(24)),
            f"r24{')' * 25}",
        ),
    ],
    ids=range(10),
)
def test_what_would_take_long_is_undetermined_soon(text: str) -> None:
    before = time.process_time()
    assert value(text) in (UNDETERMINED, False)
    assert time.process_time() - before < 5


def words_of(language: Language) -> set[str]:
    words = ("".join(letters) for length in range(4) for letters in product("ab", repeat=length))
    return {word for word in words if languages.has(language, word) is True}


def test_languages_have_the_words_of_their_definitions() -> None:
    """A second, naive semantics by sets of short words: concatenations and loops by all splits."""
    a, b = languages.literal("a"), languages.literal("b")
    every = words_of(languages.loop(languages.union((a, b)), 0))
    assert len(every) == 15
    made = [a, b, languages.EMPTY, languages.literal("ab"), languages.ONE, languages.NONE]
    for _ in range(2):
        made += [languages.union(pair) for pair in pairwise(made)]
        made += [languages.concatenation(pair) for pair in zip(made, made[2:], strict=False)]
        made += [languages.loop(each, 0, 2) for each in made[::3]] + [languages.loop(each, 1) for each in made[1::4]]
        made += [languages.complement(each) for each in made[::5]]
        made = list(dict.fromkeys(made))[:30]
    sets = [words_of(each) for each in made]
    for first, one in zip(made, sets, strict=True):
        assert words_of(languages.complement(first)) == every - one
        for second, other in zip(made[:7], sets[:7], strict=True):
            both = {x + y for x in one for y in other if len(x + y) < 4}
            assert words_of(languages.concatenation((first, second))) == both
            assert words_of(languages.union((first, second))) == one | other
            assert words_of(languages.intersection((first, second))) == one & other
            if languages.are_equal(first, second) is True:
                assert one == other
        twice = {x + y for x in one for y in one if len(x + y) < 4}
        assert words_of(languages.loop(first, 1, 2)) == one | twice
        assert words_of(languages.loop(first, 2, 2)) == twice


def test_a_language_has_a_term() -> None:
    for text in ('(re.++ ((_ re.loop 1 3) (re.range "a" "b")) (re.* (re.comp (str.to_re "ab"))))', "(re.+ re.allchar)"):
        language = value(text)
        assert has_sort(language, REGLAN)
        again = evaluate(as_term(language, REGLAN), {})  # type: ignore[arg-type]
        assert languages.are_equal(again, language) is True  # type: ignore[arg-type]


def test_a_printed_model_is_read() -> None:
    stated = parse.problem(DECLARED + '(assert (and (= s (str.++ "a" "\\u{22}\\u{e9}")) (= n (str.len s))))')
    assert parse.problem(print_problem(stated)) == stated
    for text, is_model in (('"a""\\u{e9}"', True), ('"a\\u{22}\\u{0e9}"', True), ('"a"', False)):
        model = read_model(f"((define-fun s () String {text}) (define-fun n () Int 3))", stated)
        assert judge(stated, model)[0] is is_model


def test_texts_for_readers_without_strings_are_refused() -> None:
    stated = parse.problem(DECLARED + '(assert (str.< "a" s "b"))')
    assert '(and (str.< "a" s) (str.< s "b"))' in print_for(stated, "z3")
    assert '(and (str.< "a" s) (str.< s "b"))' in print_for(stated, "cvc5")
    assert '(str.< "a" s "b")' in print_for(stated, "smtlib")
    for reader in ("bitwuzla", "princess", "alt-ergo"):
        with pytest.raises(ChcfuzzError, match=f"{reader} does not have the sort String"):
            print_for(stated, reader)
    reversed_one = parse.problem(DECLARED + "(assert (= (str.rev s) s))")
    assert "str.rev" in print_for(reversed_one, "cvc5")
    with pytest.raises(ChcfuzzError, match=r"z3 does not have str\.rev; its readers are cvc5"):
        print_for(reversed_one, "z3")


def test_powers_of_two_are_for_cvc5_alone() -> None:
    stated = parse.problem(DECLARED + "(assert (= (int.pow2 n) (int.log2 n)))")
    assert "int.pow2" in print_for(stated, "cvc5")
    with pytest.raises(ChcfuzzError, match=r"z3 does not have int\.\w+; its readers are cvc5"):
        print_for(stated, "z3")


def test_simpler_strings_are_shorter_or_have_fewer_letters() -> None:
    text, steps = string("b\U0002ffffc" * 5), 0
    while text.value:
        simpler = Strings().simpler(text)
        assert simpler
        text, steps = simpler[-1], steps + 1
        assert steps < 40
    assert Strings().simpler(string("")) == []


def test_scripts_may_declare_words_of_strings() -> None:
    stated = parse.problem("(declare-sort String 0)(declare-const re.all String)(assert (= re.all re.all))")
    assert "(declare-sort String! 0)" in print_problem(stated)
    assert "re.all!" in print_problem(stated)


def test_strings_are_constants_of_terms() -> None:
    assert string("a") is string("a")
    assert string("a") is not string("b")
    assert apply("str.len", string("ab")).sort is INT
    assert isinstance(parse.parse_term('"x"'), Value)
    assert evaluate(apply("str.at", string("abc"), integer(2)), {}) == "c"


@pytest.mark.parametrize(("letter", "answer"), [("c", z3.sat), ("b", z3.unsat)])
def test_spacer_decides_systems_with_strings(letter: str, answer: object) -> None:
    found = answer_to(f"""(set-logic HORN)(declare-fun p (String) Bool)(assert (p "a"))
        (assert (forall ((s String)) (=> (and (p s) (< (str.len s) 3)) (p (str.++ s "b")))))
        (assert (forall ((s String)) (=> (and (p s) (str.in_re s (re.++ re.all (str.to_re "{letter}")))) false)))""")
    assert found == answer


# Drawn ground terms, judged by both solvers.


def distinct_claims(number: int) -> list[Term]:
    return list(dict.fromkeys(each for each in drawn_claims("strings", range(number)) if each is not None))


def test_z3_agrees_on_ground_terms() -> None:
    claims = distinct_claims(300)  # Z3 does not return on some later ones, with positions such as 2^31
    assert len(claims) > 100
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", 100_000)
    unknown = 0
    for claim in claims:
        (formula,) = z3.parse_smt2_string(f"(assert {print_term(claim)})", ctx=context)
        solver.push()
        solver.add(z3.Not(formula))
        output = solver.check()
        assert output != z3.sat, print_term(claim)
        unknown += output == z3.unknown
        solver.pop()
    assert unknown < len(claims) // 3  # Z3 does not evaluate replacements of regular expressions


def test_cvc5_agrees_on_ground_terms() -> None:
    claims = distinct_claims(200)
    answers = Counter(map(answer_of_cvc5, claims))
    assert answers["sat"] == 0
    assert answers["unsat"] > 0.9 * len(claims)


def answer_of_cvc5(claim: Term) -> str:
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", "20000")
    parser = cvc5.InputParser(solver)
    script = f"(set-logic ALL)(assert (not {print_term(claim)}))"
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "claim")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    return str(solver.checkSat()).partition(" ")[0]
