"""Programs over algebraic datatypes: lists, trees, enumerations, options, queues, records, numbers."""

from notation import Program

LIST = "(declare-datatypes ((IntList 0)) (((nil) (cons (head Int) (tail IntList)))))"
TREE = "(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (key Int) (right Tree)))))"
NATURAL = "(declare-datatypes ((Nat 0)) (((zero) (succ (pred Nat)))))"
COLOUR = "(declare-datatypes ((Colour 0)) (((red) (green) (yellow))))"
OPTION = "(declare-datatypes ((Option 0)) (((none) (some (value Int)))))"

DATATYPES = [
    *Program(
        "adt/list-length",
        """
        length([]) = 0;  length(x :: xs) = length(xs) + 1
        assert length(xs) {relation} 0
        """,
        datatypes=LIST,
        predicates="(length IntList Int)",
        variables="xs IntList; x n Int",
        rules="""
            => (length nil 0)
            (length xs n) => (length (cons x xs) (+ n 1))
            (length xs n) (not ({relation} n 0)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "="},
    ),
    *Program(
        "adt/list-length-by-cases",
        """
        length(xs) = if xs = [] then 0 else 1 + length(tail(xs))
        assert length(xs) = 0 just when xs = []{off}
        """,
        datatypes=LIST,
        predicates="(length IntList Int)",
        variables="xs IntList; m n Int",
        rules="""
            ((_ is nil) xs) (= n {empty}) => (length xs n)
            ((_ is cons) xs) (length (tail xs) m) (= n (+ m 1)) => (length xs n)
            (length xs n) (not (= ((_ is nil) xs) (= n 0))) => false
        """,
        safe={"off": "", "empty": "0"},
        unsafe={"off": " (but the empty list has length -1)", "empty": "(- 1)"},
    ),
    *Program(
        "adt/all-positive",
        """
        xs := []
        repeat any number of times: xs := x :: xs for some x {relation} 0
        assert head(xs) > 0 if xs is not empty
        """,
        datatypes=LIST,
        predicates="(built IntList)",
        variables="xs IntList; x Int",
        rules="""
            => (built nil)
            (built xs) ({relation} x 0) => (built (cons x xs))
            (built xs) ((_ is cons) xs) (<= (head xs) 0) => false
        """,
        safe={"relation": ">"},
        unsafe={"relation": ">="},
    ),
    *Program(
        "adt/ascending-list",
        """
        build(n): lists n :: n - 1 :: ... :: 1
        assert that the head is n, and the second element is {second}
        """,
        datatypes=LIST,
        predicates="(build Int IntList)",
        variables="xs IntList; n x y Int",
        rules="""
            => (build 0 nil)
            (build n xs) (>= n 0) => (build (+ n 1) (cons (+ n 1) xs))
            (build n (cons x (cons y xs))) (not (and (= x n) (= y {second}))) => false
        """,
        safe={"second": "(- n 1)"},
        unsafe={"second": "(- n 2)"},
    ),
    *Program(
        "adt/last-element",
        """
        last(x :: []) = x;  last(x :: xs) = last(xs)
        assert last(x :: y :: []) = {value}
        """,
        datatypes=LIST,
        predicates="(last IntList Int)",
        variables="xs IntList; x y z Int",
        rules="""
            => (last (cons x nil) x)
            (distinct xs nil) (last xs y) => (last (cons x xs) y)
            (last (cons x (cons y nil)) z) (distinct z {value}) => false
        """,
        safe={"value": "y"},
        unsafe={"value": "x"},
    ),
    *Program(
        "adt/append-empty",
        """
        append([], ys) = ys;  append(x :: xs, ys) = x :: append(xs, ys)
        assert append({first}, ys) != []
        """,
        datatypes=LIST,
        predicates="(append IntList IntList IntList)",
        variables="xs ys zs IntList; x Int",
        rules="""
            => (append nil ys ys)
            (append xs ys zs) => (append (cons x xs) ys (cons x zs))
            (append {first} ys nil) => false
        """,
        safe={"first": "(cons x xs)"},
        unsafe={"first": "xs"},
    ),
    *Program(
        "adt/member",
        """
        member(x, x :: xs);  member(x, y :: xs) if member(x, xs)
        assert not member({what})
        """,
        datatypes=LIST,
        predicates="(member Int IntList)",
        variables="xs IntList; x y Int",
        rules="""
            => (member x (cons x xs))
            (member x xs) => (member x (cons y xs))
            (member {what}) => false
        """,
        safe={"what": "x nil"},
        unsafe={"what": "3 (cons 1 (cons 2 (cons 3 nil)))"},
    ),
    *Program(
        "adt/zip-lengths",
        """
        two lists grow together{but}
        assert that one is empty just when the other is
        """,
        datatypes=LIST,
        predicates="(pair IntList IntList)",
        variables="xs ys IntList; x y Int",
        rules="""
            => (pair nil nil)
            (pair xs ys) => (pair (cons x xs) {other})
            (pair xs ys) (distinct ((_ is nil) xs) ((_ is nil) ys)) => false
        """,
        safe={"but": "", "other": "(cons (* 2 x) ys)"},
        unsafe={"but": ", or so it was meant", "other": "(ite (> x 0) (cons x ys) ys)"},
    ),
    *Program(
        "adt/stack-machine",
        """
        a machine pushes {pushed}, duplicates the top, adds 1 to it or doubles it
        assert that the top is at least 1
        """,
        datatypes=LIST,
        predicates="(machine IntList)",
        variables="s IntList; x Int",
        rules="""
            => (machine (cons 1 nil))
            (machine s) => (machine (cons {pushed} s))
            (machine (cons x s)) => (machine (cons x (cons x s)))
            (machine (cons x s)) => (machine (cons (+ x 1) s))
            (machine (cons x s)) => (machine (cons (* 2 x) s))
            (machine (cons x s)) (< x 1) => false
        """,
        safe={"pushed": "2"},
        unsafe={"pushed": "0"},
    ),
    *Program(
        "adt/queue-of-two-lists",
        """
        a queue as a front and a back list: put at the back, take from the front
        a put into an empty queue goes to the front; when a take empties the front, {turn}
        assert that the back is empty where the front is
        """,
        datatypes=LIST,
        predicates="(queue IntList IntList)",
        variables="front back IntList; x Int",
        rules="""
            => (queue nil nil)
            ; put
            (queue nil back) => (queue (cons x nil) back)
            (queue front back) (distinct front nil) => (queue front (cons x back))
            ; take
            (queue (cons x front) back) (distinct front nil) => (queue front back)
            (queue (cons x nil) back) => (queue {refill})
            (queue nil back) (distinct back nil) => false
        """,
        safe={"turn": "the back becomes the front", "refill": "back nil"},
        unsafe={"turn": "nothing more is done", "refill": "nil back"},
    ),
    *Program(
        "adt/tree-size",
        """
        size(leaf) = 0;  size(node(l, k, r)) = size(l) + 1 + size(r)
        assert size(t) {relation} 0
        """,
        datatypes=TREE,
        predicates="(size Tree Int)",
        variables="l r t Tree; k m n s Int",
        rules="""
            => (size leaf 0)
            (size l m) (size r n) (= s (+ m n 1)) => (size (node l k r) s)
            (size t s) (not ({relation} s 0)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "<="},
    ),
    *Program(
        "adt/tree-mirror",
        """
        mirror(leaf) = leaf;  mirror(node(l, k, r)) = node(mirror(r), {key}, mirror(l))
        assert that a tree and its mirror image have the same key at the root
        """,
        datatypes=TREE,
        predicates="(mirror Tree Tree)",
        variables="l r t u v Tree; k n Int",
        rules="""
            => (mirror leaf leaf)
            (mirror l u) (mirror r v) => (mirror (node l k r) (node v {key} u))
            (mirror leaf (node l k r)) => false
            (mirror (node l k r) leaf) => false
            (mirror (node l k r) (node t n u)) (distinct k n) => false
        """,
        safe={"key": "k"},
        unsafe={"key": "(+ k 1)"},
    ),
    *Program(
        "adt/search-tree-insert",
        """
        insert(leaf, x) = node(leaf, x, leaf)
        insert(node(l, k, r), x) = node(insert(l, x), k, r) if x < k, else node(l, k, insert(r, x))
        assert that the root keeps its key {when}
        """,
        datatypes=TREE,
        predicates="(insert Tree Int Tree)",
        variables="l r t u Tree; k n x Int",
        rules="""
            => (insert leaf x (node leaf x leaf))
            (< x k) (insert l x t) => (insert (node l k r) x (node t k r))
            (>= x k) (insert r x t) => (insert (node l k r) x (node l k t))
            (insert (node l k r) x (node t n u)) (distinct n {kept}) => false
        """,
        safe={"when": "", "kept": "k"},
        unsafe={"when": "if it is at most x, else it is x", "kept": "(ite (< x k) x k)"},
    ),
    *Program(
        "adt/traffic-light",
        """
        red -> green -> yellow -> red
        assert that after red comes {next}
        """,
        datatypes=COLOUR,
        predicates="(light Colour Colour)",
        variables="before now Colour",
        rules="""
            => (light yellow red)
            (light before now) => (light now (ite (= now red) green (ite (= now green) yellow red)))
            (light red now) (not (= now {next})) => false
        """,
        safe={"next": "green"},
        unsafe={"next": "yellow"},
    ),
    *Program(
        "adt/map-colouring",
        """
        four countries are coloured one after another with three colours
        assert that it fails; {neighbours}
        """,
        datatypes=COLOUR,
        predicates="(two Colour Colour) (three Colour Colour Colour) (four Colour Colour Colour Colour)",
        variables="a b c d Colour",
        rules="""
            (distinct a b) => (two a b)
            (two a b) (distinct a b c) => (three a b c)
            (three a b c) (distinct a d) (distinct b d) {last} => (four a b c d)
            (four a b c d) => false
        """,
        safe={"neighbours": "each borders on all others", "last": "(distinct c d)"},
        unsafe={"neighbours": "each borders on all others, only the last two do not meet", "last": ""},
    ),
    *Program(
        "adt/safe-halving",
        """
        half(x) = some(x div 2) if {condition}, else none
        assert that a result q has q + q = x
        """,
        datatypes=OPTION,
        predicates="(half Int Option)",
        variables="x q Int; r Option",
        rules="""
            (= r (ite {condition} (some (div x 2)) none)) => (half x r)
            (half x (some q)) (distinct (+ q q) x) => false
        """,
        safe={"condition": "(= (mod x 2) 0)"},
        unsafe={"condition": "(>= x 0)"},
    ),
    *Program(
        "adt/option-chain",
        """
        decrement(some(n)) = some(n - 1) if n > 0, else none;  decrement(none) = none
        assert that a chain of them from some(3) never holds a number {relation} 0
        """,
        datatypes=OPTION,
        predicates="(chain Option)",
        variables="n Int; r Option",
        rules="""
            => (chain (some 3))
            (chain (some n)) (> n 0) => (chain (some (- n 1)))
            (chain (some n)) (<= n 0) => (chain none)
            (chain none) => (chain none)
            (chain r) ((_ is some) r) ({relation} (value r) 0) => false
        """,
        safe={"relation": "<"},
        unsafe={"relation": "<="},
    ),
    *Program(
        "adt/peano-addition",
        """
        plus(0, n) = n;  plus(m + 1, n) = plus(m, n) + 1
        assert plus({m}, n) != {sum}
        """,
        datatypes=NATURAL,
        predicates="(plus Nat Nat Nat)",
        variables="m n k Nat",
        rules="""
            => (plus zero n n)
            (plus m n k) => (plus (succ m) n (succ k))
            (plus {m} n {sum}) => false
        """,
        safe={"m": "(succ m)", "sum": "zero"},
        unsafe={"m": "m", "sum": "(succ zero)"},
    ),
    *Program(
        "adt/peano-even",
        """
        even(0); even(n + 2) if even(n)
        assert not even({n})
        """,
        datatypes=NATURAL,
        predicates="(even Nat)",
        variables="n Nat",
        rules="""
            => (even zero)
            (even n) => (even (succ (succ n)))
            (even {n}) => false
        """,
        safe={"n": "(succ (succ (succ zero)))"},
        unsafe={"n": "(succ (succ (succ (succ zero))))"},
    ),
    *Program(
        "adt/peano-less",
        """
        0 < n + 1;  m + 1 < n + 1 if m < n
        assert not {m} < {n}
        """,
        datatypes=NATURAL,
        predicates="(less Nat Nat)",
        variables="m n Nat",
        rules="""
            => (less zero (succ n))
            (less m n) => (less (succ m) (succ n))
            (less {m} {n}) => false
        """,
        safe={"m": "n", "n": "zero"},
        unsafe={"m": "(succ zero)", "n": "n"},
    ),
    *Program(
        "adt/record-of-a-point",
        """
        point := (x: 0, y: 0)
        repeat any number of times: move right by 1, or up by 1 if {rule}
        assert y <= x
        """,
        datatypes="(declare-datatypes ((Point 0)) (((point (x Int) (y Int)))))",
        predicates="(at Point)",
        variables="p Point",
        rules="""
            => (at (point 0 0))
            (at p) => (at (point (+ (x p) 1) (y p)))
            (at p) ({relation} (y p) (x p)) => (at (point (x p) (+ (y p) 1)))
            (at p) (> (y p) (x p)) => false
        """,
        safe={"rule": "y < x", "relation": "<"},
        unsafe={"rule": "y <= x", "relation": "<="},
    ),
    *Program(
        "adt/expression-evaluation",
        """
        E -> literal | add(E, E) | double(E), literals are at least {least}
        assert eval(E) >= 1
        """,
        datatypes="(declare-datatypes ((Exp 0)) (((literal (number Int)) (add (first Exp) (second Exp))"
        " (double (only Exp)))))",
        predicates="(eval Exp Int)",
        variables="e f Exp; a b Int",
        rules="""
            (>= a {least}) => (eval (literal a) a)
            (eval e a) (eval f b) => (eval (add e f) (+ a b))
            (eval e a) => (eval (double e) (* 2 a))
            (eval e a) (< a 1) => false
        """,
        safe={"least": "1"},
        unsafe={"least": "0"},
    ),
    *Program(
        "adt/even-and-odd-lists",
        """
        mutually recursive types: an even list is empty or an element before an odd list, and the reverse
        assert that the length of an odd list is {relation} 1
        """,
        datatypes="(declare-datatypes ((Even 0) (Odd 0))"
        " (((none) (some (first Int) (others Odd))) ((one (value Int) (rest Even)))))",
        predicates="(even Even Int) (odd Odd Int)",
        variables="e Even; o Odd; x n Int",
        rules="""
            => (even none 0)
            (odd o n) => (even (some x o) (+ n 1))
            (even e n) => (odd (one x e) (+ n 1))
            (odd o n) (not ({relation} n 1)) => false
        """,
        safe={"relation": ">="},
        unsafe={"relation": "<="},
    ),
    *Program(
        "adt/door-lock",
        """
        a door is open, closed or locked with a code; it opens when it is closed, and unlocks with its code
        assert that an open door was {claim}
        """,
        datatypes="(declare-datatypes ((Door 0)) (((open) (closed) (locked (code Int)))))",
        predicates="(door Door Door)",
        variables="before now Door; c Int",
        rules="""
            => (door closed closed)
            (door before open) => (door open closed)
            (door before closed) => (door closed open)
            (door before closed) (> c 0) => (door closed (locked c))
            (door before now) ((_ is locked) now) (= c (code now)) (> c 0) => (door now closed)
            (door before open) (distinct before {claim}) => false
        """,
        safe={"claim": "closed"},
        unsafe={"claim": "open"},
    ),
]
