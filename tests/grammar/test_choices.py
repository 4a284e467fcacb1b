import hashlib
from itertools import permutations

from chcfuzz.grammar.choices import Choices


def test_an_empty_buffer_answers_every_question_with_the_first_choice() -> None:
    choices = Choices(b"")
    assert choices.index(7) == 0
    assert choices.boolean() is False
    assert choices.integer(-3, 5) == -3
    assert choices.pick("abc") == "a"
    assert choices.permutation(4) == (0, 1, 2, 3)


def test_a_question_with_one_answer_consumes_nothing() -> None:
    choices = Choices(b"\x05")
    assert choices.index(1) == choices.index(0) == choices.integer(9, 9) == 0 or choices.integer(9, 9) == 9
    assert choices.index(256) == 5


def test_an_index_takes_as_many_bytes_as_it_needs() -> None:
    for n, taken in ((2, 1), (256, 1), (257, 2), (65536, 2), (65537, 3)):
        choices = Choices(b"\x00" * taken + b"\x01")
        choices.index(n)
        assert choices.index(2) == 1


def test_answers_stay_in_range_on_any_buffer() -> None:
    for seed in range(300):
        data = hashlib.sha256(b"%d" % seed).digest()[: seed % 33]
        choices = Choices(data)
        for n in (1, 2, 3, 10, 255, 256, 257, 1000, 70000):
            assert 0 <= choices.index(n) < n
        assert -4 <= choices.integer(-4, 4) <= 4
        assert sorted(Choices(data).permutation(9)) == list(range(9))


def test_every_choice_can_be_reached() -> None:
    assert {Choices(bytes([b])).index(200) for b in range(256)} == set(range(200))
    reached = {Choices(bytes([a, b])).permutation(3) for a in range(3) for b in range(2)}
    assert reached == set(permutations(range(3)))
