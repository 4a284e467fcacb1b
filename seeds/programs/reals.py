"""Hybrid systems and numerics over the reals."""

from notation import Program

REALS = [
    *Program(
        "lra/bouncing-ball",
        """
        height := 10
        repeat for ever: the ball falls and bounces to {part} of its height, or less
        assert 0 <= height <= 10
        """,
        predicates="(ball Real)",
        variables="h h1 Real",
        rules="""
            => (ball 10.0)
            (ball h) (<= 0.0 h1) (<= h1 (* {part} h)) => (ball h1)
            (ball h) (not (and (<= 0.0 h) (<= h 10.0))) => false
        """,
        safe={"part": "0.8"},
        unsafe={"part": "1.2"},
    ),
    *Program(
        "lra/falling-ball",
        """
        the ball falls with velocity v, bounces at height 0 with v := -v / 2, in ticks of 1
        assert height >= 0; {fault}
        """,
        predicates="(ball Real Real)",
        variables="h v h1 v1 Real",
        rules="""
            => (ball 8.0 0.0)
            (ball h v) (= h1 (+ h v)) (= v1 (- v 1.0)) {guard} => (ball h1 v1)
            (ball h v) (<= (+ h v) 0.0) (= v1 (/ (- v) 2.0)) => (ball 0.0 v1)
            (ball h v) (< h 0.0) => false
        """,
        safe={"fault": "it bounces in time", "guard": "(> h1 0.0)"},
        unsafe={"fault": "it bounces one tick late", "guard": "(> h 0.0)"},
    ),
    *Program(
        "lra/tank",
        """
        level := 5
        repeat for ever: inflow of at most 1, outflow of at most 1, the valve closes at 9
        assert 0 <= level <= {limit}
        """,
        predicates="(tank Real Bool)",
        variables="level change after Real; open Bool",
        rules="""
            => (tank 5.0 true)
            (tank level open) open (<= 0.0 change) (<= change 1.0) (= after (+ level change))
                => (tank after (< after 9.0))
            (tank level open) (<= 0.0 change) (<= change 1.0) (>= level change)
                => (tank (- level change) open)
            (tank level open) (not open) (< level 9.0) => (tank level true)
            (tank level open) (not (and (<= 0.0 level) (<= level {limit}))) => false
        """,
        safe={"limit": "10.0"},
        unsafe={"limit": "9.5"},
    ),
    *Program(
        "lra/two-tanks",
        """
        two tanks share 10 litres; a pump moves up to a half of one into the other, of which {kept} arrives
        assert that together they always hold 10 litres
        """,
        predicates="(tanks Real Real)",
        variables="a b move Real",
        rules="""
            => (tanks 4.0 6.0)
            (tanks a b) (<= 0.0 move) (<= (* 2.0 move) a) => (tanks (- a move) (+ b (* {kept} move)))
            (tanks a b) (<= 0.0 move) (<= (* 2.0 move) b) => (tanks (+ a move) (- b move))
            (tanks a b) (distinct (+ a b) 10.0) => false
        """,
        safe={"kept": "1.0"},
        unsafe={"kept": "0.9"},
    ),
    *Program(
        "lra/thermostat",
        """
        temperature := 20.0
        heating on:  temperature rises by up to 0.5 a tick, off at 22
        heating off: temperature falls by up to 0.5 a tick, on at {on}
        assert 17 <= temperature <= 23
        """,
        predicates="(on Real) (off Real)",
        variables="t d Real",
        rules="""
            => (off 20.0)
            (on t) (< t 22.0) (<= 0.0 d) (<= d 0.5) => (on (+ t d))
            (on t) (>= t 22.0) => (off t)
            (off t) (> t {on}) (<= 0.0 d) (<= d 0.5) => (off (- t d))
            (off t) (<= t {on}) => (on t)
            (on t) (not (and (<= 17.0 t) (<= t 23.0))) => false
            (off t) (not (and (<= 17.0 t) (<= t 23.0))) => false
        """,
        safe={"on": "18.0"},
        unsafe={"on": "16.0"},
    ),
    *Program(
        "lra/zeno",
        """
        Achilles has 1 stade to run, and every step takes him half of what is left
        assert {claim}
        """,
        predicates="(run Real Real)",
        variables="behind ahead Real",
        rules="""
            => (run 0.0 1.0)
            (run behind ahead) => (run (+ behind (/ ahead 2.0)) (/ ahead 2.0))
            (run behind ahead) (not {claim}) => false
        """,
        safe={"claim": "(= (+ behind ahead) 1.0)"},
        unsafe={"claim": "(< behind 0.9)"},
    ),
    *Program(
        "lra/two-clocks",
        """
        a timed automaton with clocks x and y: time passes while x <= 2; at x >= 1 x is reset
        y is reset {when}; assert y <= 4
        """,
        predicates="(automaton Real Real Int)",
        variables="x y d Real; rounds Int",
        rules="""
            => (automaton 0.0 0.0 0)
            (automaton x y rounds) (>= d 0.0) (<= (+ x d) 2.0) => (automaton (+ x d) (+ y d) rounds)
            (automaton x y rounds) (>= x 1.0) (< rounds {rounds}) => (automaton 0.0 y (+ rounds 1))
            (automaton x y rounds) (>= x 1.0) (>= rounds {rounds}) => (automaton 0.0 0.0 0)
            (automaton x y rounds) (> y 4.0) => false
        """,
        safe={"when": "every second time", "rounds": "1"},
        unsafe={"when": "every third time", "rounds": "2"},
    ),
    *Program(
        "lra/token-bucket",
        """
        a bucket of tokens, filled at 2 a second up to {size}; whoever sends takes one away
        assert that less than 1 second after it was full no more than 5 have been sent
        """,
        predicates="(bucket Real Real Real)",
        variables="tokens sent time d more Real",
        rules="""
            => (bucket {size} 0.0 0.0)
            (bucket tokens sent time) (< 0.0 d) (= more (+ tokens (* 2.0 d)))
                => (bucket (ite (< more {size}) more {size}) sent (+ time d))
            (bucket tokens sent time) (>= tokens 1.0) => (bucket (- tokens 1.0) (+ sent 1.0) time)
            (bucket tokens sent time) (< time 1.0) (> sent 5.0) => false
        """,
        safe={"size": "3.0"},
        unsafe={"size": "5.0"},
    ),
    *Program(
        "lra/savings",
        """
        balance := 100
        repeat any number of years: interest of {interest} percent, then a withdrawal of 5
        assert balance >= 100
        """,
        predicates="(savings Real)",
        variables="balance next Real",
        rules="""
            => (savings 100.0)
            (savings balance) (= next (- (+ balance (* (/ {interest} 100.0) balance)) 5.0)) => (savings next)
            (savings balance) (< balance 100.0) => false
        """,
        safe={"interest": "5.0"},
        unsafe={"interest": "4.0"},
    ),
    *Program(
        "lra/braking-car",
        """
        a car at speed v <= 3 with distance s to the wall; each tick s := s - v; v := max(v - 1, 0)
        the driver brakes when s <= {distance}, otherwise may speed up to 3
        assert s >= 0
        """,
        predicates="(drive Real Real) (brake Real Real)",
        variables="s v v1 Real",
        rules="""
            (>= s 20.0) => (drive s 0.0)
            (drive s v) (> s {distance}) (<= 0.0 v1) (<= v1 3.0) => (drive (- s v1) v1)
            (drive s v) (<= s {distance}) => (brake s v)
            (brake s v) (= v1 (ite (>= v 1.0) (- v 1.0) 0.0)) => (brake (- s v1) v1)
            (brake s v) (< s 0.0) => false
        """,
        safe={"distance": "6.0"},
        unsafe={"distance": "5.0"},
    ),
    *Program(
        "lra/average-of-two",
        """
        low, high := 0, 1
        repeat any number of times: middle := (low + high) / 2; one of low, high becomes middle
        assert low < high and high - low {relation} 1
        """,
        predicates="(interval Real Real)",
        variables="low high middle Real",
        rules="""
            => (interval 0.0 1.0)
            (interval low high) (= (* 2.0 middle) (+ low high)) => (interval middle high)
            (interval low high) (= (* 2.0 middle) (+ low high)) => (interval low middle)
            (interval low high) (not (and (< low high) ({relation} (- high low) 1.0))) => false
        """,
        safe={"relation": "<="},
        unsafe={"relation": "="},
    ),
    *Program(
        "lra/mixing",
        """
        two cups with concentrations a <= b; a spoonful is exchanged: both move towards each other
        {spoon} of the difference goes from b to a
        assert a <= b
        """,
        predicates="(cups Real Real)",
        variables="a b d Real",
        rules="""
            (<= 0.0 a) (<= a b) (<= b 1.0) => (cups a b)
            (cups a b) (= d (* {spoon} (- b a))) => (cups (+ a d) (- b d))
            (cups a b) (> a b) => false
        """,
        safe={"spoon": "0.25"},
        unsafe={"spoon": "0.75"},
    ),
    *Program(
        "lra/pump-and-drain",
        """
        two tanks are filled, 0.5 and 0.75 at a time, as long as the first holds less than 3;
        then drained, 0.5 and {less} at a time, as long as the first allows it
        assert that the second does not allow it either
        """,
        predicates="(pump Real Real) (drain Real Real)",
        variables="x y Real",
        rules="""
            => (pump 0.0 0.0)
            (pump x y) (< x 3.0) => (pump (+ x 0.5) (+ y 0.75))
            (pump x y) => (drain x y)
            (drain x y) (>= x 0.5) => (drain (- x 0.5) (- y {less}))
            (drain x y) (< x 0.5) (>= y 0.75) => false
        """,
        safe={"less": "0.75"},
        unsafe={"less": "0.5"},
    ),
]
