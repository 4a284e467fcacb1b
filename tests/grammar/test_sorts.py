import gc

import pytest
from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import (
    BOOL,
    INT,
    REAL,
    Constructor,
    Selector,
    Sort,
    array,
    bitvec,
    datatypes,
    with_other_parts,
)

LIST = "(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))(declare-fun p (List) Bool)"


def list_sort(text: str) -> Sort:
    return parse(text).datatypes[0][0].sort


def test_equal_sorts_are_one_object() -> None:
    assert array(INT, bitvec(8)) is array(INT, bitvec(8))
    assert array(INT, bitvec(8)) is not array(INT, bitvec(9))


def test_sorts_are_spelled_as_in_smtlib() -> None:
    assert str(array(INT, array(REAL, bitvec(8)))) == "(Array Int (Array Real (_ BitVec 8)))"


def test_a_bitvector_needs_a_reasonable_width() -> None:
    for width in (0, -1, 1 << 17):
        with pytest.raises(SortError, match=f"a bit-vector has 1 to 65536 bits, not {width}"):
            bitvec(width)


def test_a_datatype_sort_knows_its_definition() -> None:
    sort = list_sort(LIST)
    assert sort.datatype is not None
    nil, cons = sort.datatype.constructors
    assert nil == Constructor("nil")
    assert cons.selectors == (Selector("head", INT), Selector("tail", sort))
    assert cons.tester == "(_ is cons)"


def test_data_types_defined_alike_are_one_and_others_of_the_same_name_are_not() -> None:
    ints = list_sort(LIST)
    assert list_sort(LIST) is ints
    assert list_sort(LIST.replace("head Int", "head Real")) is not ints


def test_a_group_is_the_same_as_a_whole() -> None:
    text = "(declare-datatypes ((A 0) (B 0)) (((a)) ((b (of A)))))(declare-fun p (B) Bool)"
    first = parse(text).datatypes[0]
    a = first[0].sort
    del first
    gc.collect()
    again = parse(text).datatypes[0]
    assert again[0].sort is a
    assert again[1].constructors[0].selectors[0].sort is a


def test_only_data_types_without_fields_are_enumerations() -> None:
    def define(_sorts: object) -> list[tuple[Constructor, ...]]:
        return [(Constructor("red"), Constructor("green")), (Constructor("box", (Selector("open", BOOL),)),)]

    colour, box = datatypes(["Colour", "Box"], define)
    assert colour.is_enumeration
    assert not box.is_enumeration


@pytest.mark.parametrize("definition", ["((c (f L)))", "((c (f L)) (d (g L) (h Int)))", "((c (f (Array Int L))))"])
def test_a_data_type_without_finite_values_is_refused(definition: str) -> None:
    from chcfuzz.grammar.errors import GrammarError

    with pytest.raises(GrammarError, match="a data type without any finite value, at `L`"):
        parse(f"(declare-datatypes ((L 0)) ({definition}))(declare-fun p (L) Bool)")


def test_the_parameters_of_a_sort_are_moved() -> None:
    assert with_other_parts(array(INT, array(INT, BOOL)), lambda each: REAL if each is INT else each) is array(
        REAL, array(INT, BOOL)
    )
    assert with_other_parts(bitvec(8), lambda _: INT) is bitvec(8)
    assert with_other_parts(INT, lambda _: REAL) is INT
