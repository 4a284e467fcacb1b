from chcfuzz.oracles.scripts import ordered

CHAIN = 5_000


def definition(name: str, body: str) -> str:
    return f"(define-fun {name} ((x Int)) Bool {body})"


def test_a_definition_stands_after_those_that_it_uses() -> None:
    text = definition("p", "(and (b x) (a x))") + definition("b", "(a x)") + definition("a", "true")
    assert [each.split()[1] for each in ordered(text)] == ["a", "b", "p"]


def test_only_what_is_wanted_and_what_it_uses_is_left() -> None:
    text = definition("|p q|", "(a x)") + definition("b", "(a x)") + definition("a", "true")
    assert ordered(text, {"p q"}) == [definition("a", "true"), definition("|p q|", "(a x)")]


def test_definitions_that_use_each_other_are_all_there() -> None:
    text = definition("a", "(b x)") + definition("b", "(a x)")
    assert sorted(ordered(text)) == [definition("a", "(b x)"), definition("b", "(a x)")]


def test_a_long_chain_of_definitions_does_not_exhaust_the_stack() -> None:
    """A command may print any model."""
    text = "".join(definition(f"a{n}", f"(a{n + 1} x)") for n in range(CHAIN)) + definition(f"a{CHAIN}", "true")
    assert [each.split()[1] for each in ordered(text)] == [f"a{n}" for n in range(CHAIN, -1, -1)]
