"""Coloured SMT-LIB has the same text as the source, for any text."""

import html
import re

import pytest
from chcfuzz.dashboard.smtlib import in_colours

TEXTS = (
    '(set-option :fp.xform.slice true) ; a comment <b>\n(assert (forall ((x Int)) (=> (p x #b01) false)))\n"a ""b"" <"',
    "(declare-fun |a <script> name| (Int) Bool)\n(assert (>= 1.5 x!0))",
    'an open "string (and |name',
    "\x00\x7fé漢字 ]]> &amp; '",
    "asserting forallx truefalse <= < >",
    "0: clause 0, x = 0 |- (loop 0)\n",
)


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_is_lost_and_nothing_becomes_a_tag(text: str) -> None:
    coloured = in_colours(text)
    assert html.unescape(re.sub(r"</?span[^<>]*>", "", coloured)).strip() == text.strip()


def test_commands_sorts_and_binders_are_told_apart() -> None:
    coloured = in_colours("(assert (forall ((x Int)) (= asserted 1)))")
    for expected in ('"k">assert<', '"kr">forall<', '"kt">Int<', '"ow">=<', '"n">asserted<', '"m">1<'):
        assert f"<span class={expected}" in coloured
