"""Bit-vectors: words of odd widths, and the operators at their limits."""

from seeds.smt.notation import Pair, Seed

WIDTHS = (1, 2, 3, 5, 7, 13, 17, 31, 33, 48, 63, 64)


def _vector(width: int, value: int) -> str:
    return f"(_ bv{value % (1 << width)} {width})"


def _sum_wraps(width: int) -> Pair:
    """Return x + y < x, which holds if the sum wraps."""
    return Pair(
        f"bv/sum-wraps-{width}",
        f"a sum of {width} bits is less than its first term, which is {{top}} in its highest bit",
        names=f"x y (_ BitVec {width})",
        assertions=f"""
            (bvult (bvadd x y) x)
            (= ((_ extract {width - 1} {width - 1}) x) {{first}})
            (= ((_ extract {width - 1} {width - 1}) y) {{second}})
        """,
        sat={"top": "set", "first": "#b1", "second": "#b1"},
        unsat={"top": "clear, as in the second", "first": "#b0", "second": "#b0"},
    )


def _quotient(width: int) -> Pair:
    """Return a division with its remainder put together again."""
    return Pair(
        f"bv/quotient-{width}",
        f"x of {width} bits is q * y + r for quotient and remainder by y{{but}}",
        names=f"x y q r (_ BitVec {width})",
        assertions="""
            (= q (bvudiv x y))
            (= r (bvurem x y))
            ({equal} x (bvadd (bvmul q y) r))
            (bvule r x)
        """,
        sat={"but": "", "equal": "="},
        unsat={"but": ": not so", "equal": "distinct"},
    )


def _least(width: int) -> Pair:
    """Return the number that is its own negation."""
    least = _vector(width, 1 << (width - 1))
    return Pair(
        f"bv/own-negation-{width}",
        f"a number of {width} bits other than 0 is its own negation{{but}}",
        names=f"x (_ BitVec {width})",
        assertions=f"""
            (= x (bvneg x))
            (distinct x {_vector(width, 0)})
            ({{relation}} x {least})
        """,
        sat={"but": "", "relation": "="},
        unsat={"but": ", and not the least", "relation": "distinct"},
    )


def _sum_of_shifts(width: int) -> Pair:
    """Return a sum of two words that are shifted by one distance."""
    return Pair(
        f"bv/sum-of-shifts-{width}",
        f"two words of {width} bits shifted left by y, one of them all ones, add up to {{sum}}",
        names=f"x y (_ BitVec {width})",
        assertions=f"""
            (= (bvadd (bvshl x y) (bvshl {_vector(width, -1)} y)) {{sum}})
            (bvult {_vector(width, 0)} y)
        """,
        sat={"sum": _vector(width, 0)},
        unsat={"sum": _vector(width, 1)},
    )


def _shifted_sum(width: int) -> Pair:
    """Return a word and its shift, which are a product with a power of 2 plus 1."""
    one = _vector(width, 1)
    return Pair(
        f"bv/shifted-sum-{width}",
        f"a word of {width} bits and its shift add up to a product{{but}}",
        names=f"x y (_ BitVec {width})",
        assertions=f"""
            (bvult {_vector(width, 1)} x)
            (distinct (bvadd (bvshl x y) x) (bvmul x (bvadd (bvshl {{one}} y) {one})))
        """,
        sat={"but": " with another factor", "one": "x"},
        unsat={"but": "", "one": one},
    )


BITVECTORS: list[Seed] = [
    *(seed for width in (3, 5, 8) for seed in _sum_of_shifts(width)),
    *(seed for width in (3, 4) for seed in _shifted_sum(width)),
    *Pair(
        "bv/shifted-constant",
        "a constant of 3 bits shifted by y is {value}",
        names="x y (_ BitVec 3)",
        assertions="""
            (= (bvshl #b101 y) (bvadd x x))
            (= (bvshl x y) #b{value})
        """,
        sat={"value": "010"},
        unsat={"value": "100"},
    ),
    *Pair(
        "bv/cancelled-shift",
        "an odd word of 3 bits and its shift by {distance} cancel each other",
        names="x y (_ BitVec 3)",
        assertions="""
            (= #b1 ((_ extract 0 0) x))
            (= y {distance})
            (= #b000 (bvadd x (bvshl x y) (bvneg (bvmul x {factor}))))
        """,
        sat={"distance": "#b001", "factor": "#b011"},
        unsat={"distance": "#b001", "factor": "#b101"},
    ),
    *(seed for width in WIDTHS for seed in _sum_wraps(width)),
    *(seed for width in (1, 3, 4, 5) for seed in _quotient(width)),
    *(seed for width in (2, 3, 9, 33) for seed in _least(width)),
    *Pair(
        "bv/shift-out",
        "shifting 3 bits left by y and back by y {keeps} x",
        names="x y (_ BitVec 3)",
        assertions="""
            (bvult y #b{limit})
            (distinct x (bvlshr (bvshl x y) y))
            (= #b{top} ((_ extract 2 2) x))
        """,
        sat={"keeps": "loses bits of", "limit": "010", "top": "1"},
        unsat={"keeps": "by less than 1 keeps", "limit": "001", "top": "1"},
    ),
    *Pair(
        "bv/arithmetic-shift",
        "an arithmetic shift by {amount} of a negative number of 5 bits is -1",
        names="x (_ BitVec 5)",
        assertions="""
            (bvslt x #b00000)
            (distinct x #b11111)
            (= #b11111 (bvashr x {amount}))
        """,
        sat={"amount": "#b00010"},
        unsat={"amount": "#b00000"},
    ),
    *Pair(
        "bv/shift-by-more-than-the-width",
        "a logical shift of 3 bits by {amount} leaves something",
        names="x y (_ BitVec 3)",
        assertions="""
            (bvuge y {amount})
            (distinct #b000 (bvlshr x y))
        """,
        sat={"amount": "#b010"},
        unsat={"amount": "#b011"},
    ),
    *Pair(
        "bv/shift-of-shift",
        "two shifts by y and z are one by their sum, unless that wraps{but}",
        names="x y z (_ BitVec 4)",
        assertions="""
            (distinct (bvshl (bvshl x y) z) (bvshl x (bvadd y z)))
            {premise}
        """,
        sat={"but": "", "premise": ""},
        unsat={"but": ", and it does not", "premise": "(bvule y (bvadd y z))"},
    ),
    *Pair(
        "bv/signed-division",
        "x divided by y rounds {how}",
        names="x y (_ BitVec 4)",
        assertions="""
            (= y #b0010)
            (bvslt x #b0000)
            (= (bvsdiv x y) (bvashr x #b0001))
            (= ((_ extract 0 0) x) {last})
        """,
        sat={"how": "to 0, as a shift does for even numbers", "last": "#b0"},
        unsat={"how": "to 0, as a shift does not for odd numbers", "last": "#b1"},
    ),
    *Pair(
        "bv/signs-of-remainders",
        "bvsrem has the sign of the dividend, bvsmod that of the divisor",
        names="x y (_ BitVec 5)",
        assertions="""
            (bvslt x #b00000)
            (bvsgt y #b00000)
            (distinct (bvsrem x y) #b00000)
            ({relation} (bvsmod x y) (bvadd (bvsrem x y) y))
        """,
        sat={"relation": "="},
        unsat={"relation": "distinct"},
    ),
    *Pair(
        "bv/division-by-zero",
        "x divided by 0 is all ones, and its remainder x",
        names="x y (_ BitVec 6)",
        assertions="""
            (= y (bvand x #b000000))
            (or (distinct (bvudiv x y) #b{ones}) (distinct (bvurem x y) x))
        """,
        sat={"ones": "011111"},
        unsat={"ones": "111111"},
    ),
    *Pair(
        "bv/signed-division-by-zero",
        "x divided by 0 is 1 if x is negative, else -1",
        names="x (_ BitVec 3)",
        assertions="""
            (= (bvsdiv x #b000) #b001)
            ({relation} x #b000)
        """,
        sat={"relation": "bvslt"},
        unsat={"relation": "bvsge"},
    ),
    *Pair(
        "bv/concat-of-extracts",
        "the two parts of a word of 7 bits, exchanged, are the word rotated by {by}",
        names="x (_ BitVec 7)",
        assertions="""
            (distinct ((_ rotate_left {by}) x) (concat ((_ extract 3 0) x) ((_ extract 6 4) x)))
            (= ((_ extract 0 0) x) #b1)
        """,
        sat={"by": "4"},
        unsat={"by": "3"},
    ),
    *Pair(
        "bv/extensions",
        "a zero extension and a sign extension agree {when}",
        names="x (_ BitVec 3)",
        assertions="""
            (= ((_ zero_extend 2) x) ((_ sign_extend 2) x))
            (bvuge x #b{least})
        """,
        sat={"when": "on small numbers", "least": "011"},
        unsat={"when": "on numbers with a high bit", "least": "100"},
    ),
    *Pair(
        "bv/product-of-extended",
        "a product of extended words {fits} into twice their width",
        names="x y (_ BitVec 3)",
        assertions="""
            (= ((_ extract 5 {low}) (bvmul ((_ zero_extend 3) x) ((_ zero_extend 3) y))) ({ones}))
        """,
        sat={"fits": "reaches the highest two bits of, and fits", "low": "4", "ones": "_ bv3 2"},
        unsat={"fits": "does not fill the highest three bits of, and fits", "low": "3", "ones": "_ bv7 3"},
    ),
    *Pair(
        "bv/factors",
        "{product} has two factors of 4 bits that are not 1",
        names="x y (_ BitVec 8)",
        assertions="""
            (= (bvmul x y) (_ bv{product} 8))
            (bvult #x01 x)
            (bvult x #x10)
            (bvult #x01 y)
            (bvult y #x10)
        """,
        sat={"product": "143"},
        unsat={"product": "149"},
    ),
    *Pair(
        "bv/odd-inverse",
        "x times 3 is {product} in 6 bits",
        names="x (_ BitVec 6)",
        assertions="""
            (= (bvmul x #b{factor}) #b000001)
            (= ((_ extract 1 0) x) #b11)
        """,
        sat={"product": "1", "factor": "000011"},
        unsat={"product": "1 no more if 3 becomes 6", "factor": "000110"},
    ),
    *Pair(
        "bv/no-square",
        "{value} is a square in 8 bits",
        names="x (_ BitVec 8)",
        assertions="(= (bvmul x x) (_ bv{value} 8))",
        sat={"value": "17"},
        unsat={"value": "19"},
    ),
    *Pair(
        "bv/masks",
        "a word is split by a mask and joined by or, xor and sum",
        names="x m (_ BitVec 11)",
        assertions="""
            (let ((low (bvand x m)) (high (bvand x (bvnot m))))
              (or (distinct x (bvor low high)) (distinct x (bvxor low high)) ({relation} x (bvadd low {high}))))
        """,
        sat={"relation": "distinct", "high": "(bvshl high m)"},
        unsat={"relation": "distinct", "high": "high"},
    ),
    *Pair(
        "bv/complement-forms",
        "the negation of x is its complement plus 1, and {other}",
        names="x (_ BitVec 9)",
        assertions="""
            (= (bvneg x) (bvadd (bvnot x) (_ bv1 9)))
            (distinct (bvneg x) {form})
        """,
        sat={"other": "not the complement minus 1", "form": "(bvsub (bvnot x) (_ bv1 9))"},
        unsat={"other": "the complement of x - 1", "form": "(bvnot (bvsub x (_ bv1 9)))"},
    ),
    *Pair(
        "bv/comparison-as-bit",
        "bvcomp of two words is the reduction of their xnor",
        names="x y (_ BitVec 3)",
        assertions="""
            (distinct (bvcomp x y)
              (bvand ((_ extract 2 2) (bvxnor x y)) ((_ extract 1 1) (bvxnor x y)) ((_ extract 0 0) (bv{op} x y))))
        """,
        sat={"op": "nor"},
        unsat={"op": "xnor"},
    ),
    *Pair(
        "bv/nand-nor",
        "the laws of De Morgan on words of 10 bits{but}",
        names="x y (_ BitVec 10)",
        assertions="(distinct (bvnand x y) ({op} (bvnot x) (bvnot y)))",
        sat={"but": ", with a wrong operator", "op": "bvand"},
        unsat={"but": "", "op": "bvor"},
    ),
    *Pair(
        "bv/repeat",
        "a bit repeated {times} times is 0 or -1",
        names="b (_ BitVec 1); x (_ BitVec 5)",
        assertions="""
            (= x (bvadd ((_ repeat 5) b) {addend}))
            (distinct x #b00000)
            (distinct x #b11111)
        """,
        sat={"times": "5 times, and 1 added, 5", "addend": "#b00001"},
        unsat={"times": "5", "addend": "#b00000"},
    ),
    *Pair(
        "bv/one-bit-arithmetic",
        "on one bit, sum is xor, product is and{but}",
        names="x y (_ BitVec 1)",
        assertions="""
            (or (distinct (bvadd x y) (bvxor x y)) (distinct (bvmul x y) (bvand x y)) (distinct (bvsub x y) ({op} x y)))
        """,
        sat={"but": ", difference is not or", "op": "bvor"},
        unsat={"but": ", difference is xor", "op": "bvxor"},
    ),
    *Pair(
        "bv/signed-order-by-unsigned",
        "a signed comparison is the unsigned one with the highest bits flipped",
        names="x y (_ BitVec 3)",
        assertions="(xor (bvslt x y) (bvult (bvxor x #b{mask}) (bvxor y #b100)))",
        sat={"mask": "000"},
        unsat={"mask": "100"},
    ),
    *Pair(
        "bv/average",
        "the average without overflow is {kind}",
        names="x y (_ BitVec 6)",
        assertions="""
            (bvult x y)
            (let ((average (bvadd (bvand x y) (bvlshr (bvxor x y) #b000001))))
              (or (bvult average x) ({above} average y)))
        """,
        sat={"kind": "not always above the first", "above": "bvult"},
        unsat={"kind": "between them", "above": "bvugt"},
    ),
]
