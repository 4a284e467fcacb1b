"""Protocols and other transition systems: a state, its steps, and what must never be."""

from notation import Program

PROTOCOLS = [
    *Program(
        "protocols/peterson",
        """
        process i, again and again:
            0: flag[i] := true; turn := the {turn}
            1: wait until not flag[other] or turn = i
            2: critical section; flag[i] := false
        assert that the two are never both at 2
        """,
        predicates="(state Int Int Bool Bool Int)",
        variables="p q turn Int; f g Bool",
        rules="""
            (or (= turn 0) (= turn 1)) => (state 0 0 false false turn)
            ; process 0
            (state 0 q f g turn) => (state 1 q true g {other})
            (state 1 q f g turn) (or (not g) (= turn 0)) => (state 2 q f g turn)
            (state 2 q f g turn) => (state 0 q false g turn)
            ; process 1
            (state p 0 f g turn) => (state p 1 f true 0)
            (state p 1 f g turn) (or (not f) (= turn 1)) => (state p 2 f g turn)
            (state p 2 f g turn) => (state p 0 f false turn)
            (state 2 2 f g turn) => false
        """,
        safe={"turn": "other", "other": "1"},
        unsafe={"turn": "other (but process 0 takes the turn itself)", "other": "0"},
    ),
    *Program(
        "protocols/bakery",
        """
        process i, again and again:
            0: ticket[i] := ticket[other] + {more}
            1: wait until ticket[other] = 0 or ticket[i] < ticket[other] (process 0: <=)
            2: critical section; ticket[i] := 0
        assert that the two are never both at 2
        """,
        predicates="(state Int Int Int Int)",
        variables="p q s t Int",
        rules="""
            => (state 0 0 0 0)
            (state p q s t) (= p 0) => (state 1 q (+ t 1) t)
            (state p q s t) (= p 1) (or (= t 0) (<= s t)) => (state 2 q s t)
            (state p q s t) (= p 2) => (state 0 q 0 t)
            (state p q s t) (= q 0) => (state p 1 s (+ s {more}))
            (state p q s t) (= q 1) (or (= s 0) (< t s)) => (state p 2 s t)
            (state p q s t) (= q 2) => (state p 0 s 0)
            (state p q s t) (= p 2) (= q 2) => false
        """,
        safe={"more": "1"},
        unsafe={"more": "(- 1)"},
    ),
    *Program(
        "protocols/semaphore",
        """
        a semaphore with {permits} permit(s); three processes enter when they get one, and give it back
        assert that at most 1 process is inside
        """,
        predicates="(state Int Int)",
        variables="free inside Int",
        rules="""
            => (state {permits} 0)
            (state free inside) (> free 0) (< inside 3) => (state (- free 1) (+ inside 1))
            (state free inside) (> inside 0) => (state (+ free 1) (- inside 1))
            (state free inside) (> inside 1) => false
        """,
        safe={"permits": "1"},
        unsafe={"permits": "2"},
    ),
    *Program(
        "protocols/spin-lock",
        """
        process i, again and again:
            0: wait until not locked
            1: locked := true      (in the safe version 0 and 1 are one step)
            2: critical section; locked := false
        assert that the two are never both at 2
        """,
        predicates="(state Int Int Bool)",
        variables="p q Int; locked Bool",
        rules="""
            => (state 0 0 false)
            (state 0 q locked) (not locked) => (state {next} q {lock})
            (state 1 q locked) => (state 2 q true)
            (state 2 q locked) => (state 0 q false)
            (state p 0 locked) (not locked) => (state p {next} {lock})
            (state p 1 locked) => (state p 2 true)
            (state p 2 locked) => (state p 0 false)
            (state 2 2 locked) => false
        """,
        safe={"next": "2", "lock": "true"},
        unsafe={"next": "1", "lock": "false"},
    ),
    *Program(
        "protocols/ticket-lock",
        """
        next, serving := 0, 0
        process i, again and again:
            0: mine[i] := next; next := next + {step}
            1: wait until mine[i] = serving
            2: critical section; serving := serving + 1
        assert that the two are never both at 2
        """,
        predicates="(state Int Int Int Int Int Int)",
        variables="p q mine yours next serving Int",
        rules="""
            => (state 0 0 0 0 0 0)
            (state 0 q mine yours next serving) => (state 1 q next yours (+ next {step}) serving)
            (state 1 q mine yours next serving) (= mine serving) => (state 2 q mine yours next serving)
            (state 2 q mine yours next serving) => (state 0 q mine yours next (+ serving 1))
            (state p 0 mine yours next serving) => (state p 1 mine next (+ next 1) serving)
            (state p 1 mine yours next serving) (= yours serving) => (state p 2 mine yours next serving)
            (state p 2 mine yours next serving) => (state p 0 mine yours next (+ serving 1))
            (state 2 2 mine yours next serving) => false
        """,
        safe={"step": "1"},
        unsafe={"step": "0"},
    ),
    *Program(
        "protocols/readers-writers",
        """
        readers, writers := 0, 0
        repeat for ever, one of:
            when writers = 0{and_no_reader}: a writer enters
            when writers > 0: a writer leaves
            when writers = 0: a reader enters
            when readers > 0: a reader leaves
        assert not (readers > 0 and writers > 0) and writers <= 1
        """,
        predicates="(room Int Int)",
        variables="readers writers Int",
        rules="""
            => (room 0 0)
            (room readers writers) (= writers 0) => (room (+ readers 1) writers)
            (room readers writers) (> readers 0) => (room (- readers 1) writers)
            (room readers writers) (= writers 0) {guard} => (room readers (+ writers 1))
            (room readers writers) (> writers 0) => (room readers (- writers 1))
            (room readers writers) (or (and (> readers 0) (> writers 0)) (> writers 1)) => false
        """,
        safe={"and_no_reader": " and readers = 0", "guard": "(= readers 0)"},
        unsafe={"and_no_reader": "", "guard": ""},
    ),
    *Program(
        "protocols/dining-philosophers",
        """
        three philosophers, three forks; each takes one of its forks, then the other, eats, lays both back
        {order}
        assert that they never all hold one fork and wait for the other
        """,
        predicates="(table Int Int Int)",
        variables="a b c Int",
        rules="""
            ; 0 thinks, 1 holds the first fork, 2 holds both; fork 0 is between c and a, 1 between a and b
            => (table 0 0 0)
            ; a takes fork 0, then fork 1
            (table 0 b c) (not (= c 2)) {a_first} => (table 1 b c)
            (table 1 b c) (= b 0) => (table 2 b c)
            (table 2 b c) => (table 0 b c)
            ; b takes fork 1, then fork 2
            (table a 0 c) (not (= a 2)) => (table a 1 c)
            (table a 1 c) {b_second} => (table a 2 c)
            (table a 2 c) => (table a 0 c)
            ; c
            (table a b 0) {c_first} => (table a b 1)
            (table a b 1) {c_second} => (table a b 2)
            (table a b 2) => (table a b 0)
            (table 1 1 1) => false
        """,
        safe={
            "order": "a and b begin on their left, c begins on its right, where a begins too",
            "a_first": "(= c 0)",
            "b_second": "(not (= c 2))",
            "c_first": "(= a 0)",
            "c_second": "(not (= b 2))",
        },
        unsafe={
            "order": "all begin on their left",
            "a_first": "",
            "b_second": "(= c 0)",
            "c_first": "(not (= b 2))",
            "c_second": "(= a 0)",
        },
    ),
    *Program(
        "protocols/msi-cache",
        """
        caches that are invalid, shared or modified; only the numbers of each are kept
            read miss:   an invalid cache becomes shared, every modified one becomes shared
            write:       one cache becomes modified, all others become {others}
        assert that with a modified cache there is no other one modified and none shared
        """,
        predicates="(caches Int Int Int)",
        variables="invalid shared modified Int",
        rules="""
            (>= invalid 1) => (caches invalid 0 0)
            (caches invalid shared modified) (> invalid 0) => (caches (- invalid 1) (+ shared modified 1) 0)
            (caches invalid shared modified) (> invalid 0) => {write_miss}
            (caches invalid shared modified) (> shared 0) => (caches (+ invalid shared modified (- 1)) 0 1)
            (caches invalid shared modified) (or (> modified 1) (and (= modified 1) (> shared 0))) => false
        """,
        safe={"others": "invalid", "write_miss": "(caches (+ invalid shared modified (- 1)) 0 1)"},
        unsafe={
            "others": "invalid (but a write miss leaves the shared ones)",
            "write_miss": "(caches (+ invalid modified (- 1)) shared 1)",
        },
    ),
    *Program(
        "protocols/two-phase-commit",
        """
        two participants vote (1 yes, 2 no); the coordinator commits (1) if {rule}, else aborts (2)
        the participants do as the coordinator says
        assert that no participant that voted no ends in a commit
        """,
        predicates="(votes Int Int) (decided Int Int Int)",
        variables="a b d Int",
        rules="""
            (or (= a 1) (= a 2)) (or (= b 1) (= b 2)) => (votes a b)
            (votes a b) ({junctor} (= a 1) (= b 1)) => (decided a b 1)
            (votes a b) (not ({junctor} (= a 1) (= b 1))) => (decided a b 2)
            (decided a b d) (= d 1) (or (= a 2) (= b 2)) => false
        """,
        safe={"rule": "both voted yes", "junctor": "and"},
        unsafe={"rule": "one voted yes", "junctor": "or"},
    ),
    *Program(
        "protocols/token-ring",
        """
        four stations in a ring; the token is at one of them; whoever has it may send, then passes it on
        {fault}
        assert that at most one station has the token
        """,
        predicates="(ring Bool Bool Bool Bool)",
        variables="a b c d Bool",
        rules="""
            => (ring true false false false)
            (ring a b c d) a => (ring false true c d)
            (ring a b c d) b => (ring a false true d)
            (ring a b c d) c => (ring a b {kept} true)
            (ring a b c d) d => (ring true b c false)
            (ring a b c d) (or (and a b) (and a c) (and a d) (and b c) (and b d) (and c d)) => false
        """,
        safe={"fault": "nothing goes wrong", "kept": "false"},
        unsafe={"fault": "the third keeps a copy", "kept": "true"},
    ),
    *Program(
        "protocols/alternating-bit",
        """
        the sender numbers its messages and sends each with a bit until that bit comes back as acknowledgement
        the receiver accepts a message whose bit it expects; {channel}
        assert that the receiver has what was sent, or one message less
        """,
        predicates="(state Int Bool Int Bool)",
        variables="sent received Int; bit expected Bool",
        rules="""
            ; the message in the channel is number `sent` with `bit`; the acknowledgement is (not expected)
            => (state 1 false 0 false)
            (state sent bit received expected) {match} => (state sent bit (+ received 1) (not expected))
            (state sent bit received expected) (= bit (not expected))
                => (state (+ sent 1) (not bit) received expected)
            (state sent bit received expected) (not (or (= received sent) (= sent (+ received 1)))) => false
        """,
        safe={"channel": "lost and doubled messages do no harm", "match": "(= bit expected)"},
        unsafe={"channel": "but this one does not look at the bit", "match": "(or (= bit expected) bit)"},
    ),
    *Program(
        "protocols/crossroads",
        """
        two traffic lights, 0 red, 1 green, 2 yellow; the controller's turn says which may leave red
        assert that {never}
        """,
        predicates="(lights Int Int Int)",
        variables="north east turn Int",
        rules="""
            => (lights 0 0 0)
            (lights north east turn) (= turn 0) (= north 0) (= east 0) => (lights 1 east turn)
            (lights north east turn) (= north 1) => (lights 2 east turn)
            (lights north east turn) (= north 2) => (lights 0 east 1)
            (lights north east turn) (= turn 1) (= east 0) (= north 0) => (lights north 1 turn)
            (lights north east turn) (= east 1) => (lights north 2 turn)
            (lights north east turn) (= east 2) => (lights north 0 0)
            (lights north east turn) {bad} => false
        """,
        safe={"never": "one of them is red", "bad": "(distinct north 0) (distinct east 0)"},
        unsafe={"never": "the second is never yellow", "bad": "(= east 2)"},
    ),
    *Program(
        "protocols/vending-machine",
        """
        credit := 0
        repeat for ever, one of:
            insert a coin of 1 or 2, while credit < 4
            when credit >= 3: vend, credit := credit - {price}
            return: credit := 0
        assert credit >= 0
        """,
        predicates="(machine Int)",
        variables="credit coin Int",
        rules="""
            => (machine 0)
            (machine credit) (< credit 4) (or (= coin 1) (= coin 2)) => (machine (+ credit coin))
            (machine credit) (>= credit 3) => (machine (- credit {price}))
            (machine credit) => (machine 0)
            (machine credit) (< credit 0) => false
        """,
        safe={"price": "3"},
        unsafe={"price": "4"},
    ),
    *Program(
        "protocols/railroad-crossing",
        """
        the train: 0 far, 1 near, 2 on the crossing; the gate: 0 open, 1 closing, 2 closed
        the train needs at least 3 ticks from near to the crossing, the gate {ticks} to close
        assert that the gate is closed while the train is on the crossing
        """,
        predicates="(crossing Int Int Int)",
        variables="train gate clock Int",
        rules="""
            => (crossing 0 0 0)
            (crossing 0 gate clock) => (crossing 1 1 0)
            (crossing 1 gate clock) (< clock 6)
                => (crossing 1 (ite (>= (+ clock 1) {ticks}) 2 gate) (+ clock 1))
            (crossing 1 gate clock) (>= clock 3) => (crossing 2 gate clock)
            (crossing 2 gate clock) => (crossing 0 0 clock)
            (crossing 2 gate clock) (not (= gate 2)) => false
        """,
        safe={"ticks": "2"},
        unsafe={"ticks": "5"},
    ),
    *Program(
        "protocols/wolf-goat-cabbage",
        """
        a farmer takes a wolf, a goat and a cabbage over a river, one at a time in a boat
        the wolf must not be alone with the goat, nor the goat with the cabbage
        assert that they never all come over; {help}
        """,
        predicates="(banks Bool Bool Bool Bool)",
        variables="f w g c Bool",
        rules="""
            ; false is this bank, true the other; a state is reached only where nobody is eaten
            => (banks false false false false)
            (banks f w g c) (not (= w g)) (not (= g c)) => (banks (not f) w g c)
            (banks f w g c) (= f w) (not (= g c)) => (banks (not f) (not w) g c)
            (banks f w g c) (= f g) {with_goat} => (banks (not f) w (not g) c)
            (banks f w g c) (= f c) (not (= w g)) => (banks (not f) w g (not c))
            (banks true true true true) => false
        """,
        safe={"help": "the goat is never taken back", "with_goat": "(not f)"},
        unsafe={"help": "they do", "with_goat": ""},
    ),
    *Program(
        "protocols/producer-consumer-handshake",
        """
        producer: when request = acknowledge: put data; request := not request
        consumer: when request {relation} acknowledge: take data; acknowledge := not acknowledge
        assert that the consumer has taken all that was put, or all but one
        """,
        predicates="(bus Bool Bool Int Int)",
        variables="put taken Int; request acknowledge Bool",
        rules="""
            => (bus false false 0 0)
            (bus request acknowledge put taken) (= request acknowledge)
                => (bus (not request) acknowledge (+ put 1) taken)
            (bus request acknowledge put taken) ({relation} request acknowledge)
                => (bus request (not acknowledge) put (+ taken 1))
            (bus request acknowledge put taken) (not (and (<= taken put) (<= put (+ taken 1)))) => false
        """,
        safe={"relation": "distinct"},
        unsafe={"relation": "="},
    ),
    *Program(
        "protocols/leader-election",
        """
        three nodes in a ring with numbers 1, {number} and 3, each sends its number to the next
        a node passes on a number above its own, and is the leader when its own comes back
        assert that only the node with number 3 leads
        """,
        predicates="(message Int Int) (leader Int)",
        variables="n node own Int",
        rules="""
            ; (message n i): number n is on its way to node i
            => (message 1 1)
            => (message {number} 2)
            => (message 3 0)
            (message n 0) (> n 1) => (message n 1)
            (message n 1) (> n {number}) => (message n 2)
            (message n 2) (> n 3) => (message n 0)
            (message n node) (= own (ite (= node 0) 1 (ite (= node 1) {number} 3))) (= n own) => (leader n)
            (leader n) (not (= n 3)) => false
        """,
        safe={"number": "2"},
        unsafe={"number": "4"},
    ),
    *Program(
        "protocols/scheduler",
        """
        two tasks with a budget each; the scheduler runs the one that has run {rule}
        assert that they never differ by more than 1
        """,
        predicates="(run Int Int)",
        variables="a b Int",
        rules="""
            => (run 0 0)
            (run a b) ({relation} a b) => (run (+ a 1) b)
            (run a b) ({relation} b a) => (run a (+ b 1))
            (run a b) (or (> (- a b) 1) (> (- b a) 1)) => false
        """,
        safe={"rule": "less, either on a tie", "relation": "<="},
        unsafe={"rule": "more, either on a tie", "relation": ">="},
    ),
    *Program(
        "protocols/sliding-window",
        """
        send while fewer than 4 are on their way; acknowledgements come {how}
        assert acknowledged <= sent <= acknowledged + 4
        """,
        predicates="(window Int Int)",
        variables="sent acked next Int",
        rules="""
            => (window 0 0)
            (window sent acked) (< (- sent acked) 4) => (window (+ sent 1) acked)
            (window sent acked) (< acked next) (<= next {last}) => (window sent next)
            (window sent acked) (not (and (<= acked sent) (<= sent (+ acked 4)))) => false
        """,
        safe={"how": "for any prefix of what was sent", "last": "sent"},
        unsafe={"how": "for one more than was sent", "last": "(+ sent 1)"},
    ),
]
