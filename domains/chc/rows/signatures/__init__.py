"""Other signatures: arguments of predicates reordered, replaced, added or dropped.

Slicing, inlining and the generalization of lemmas depend on this. In each row p is the predicate before, and q the one
after. The new system S' has a model if S has one, because q can be interpreted as listed; the reverse holds because p
can then be interpreted as listed:

- another encoding, q(f(x)) for p(x), with f one-to-one: q(y) is p(g(y)) with g(f(x)) = x, and p(x) is q(f(x));
- a free argument, q(x, y) for p(x), any y in heads: q(x, y) is p(x), and p(x) is (forall y) q(x, y);
- a constant argument, q(x, c), any y in bodies: q(x, y) is p(x), and p(x) is q(x, c);
- a duplicated argument, q(x, x): q(x, y) is p(x) and y = x, and p(x) is q(x, x);
- a constant of every head dropped, p(x, c): q(x) is p(x, c), and p(x, y) is q(x) and y = c, which bodies now require;
- an argument dropped that no body uses: q(x) is (exists y) p(x, y), and p(x, y) is q(x).
"""

from __future__ import annotations

from chcfuzz.domains.chc.rows.signatures import added as signatures_added
from chcfuzz.domains.chc.rows.signatures import dropped as signatures_dropped
from chcfuzz.domains.chc.rows.signatures import encodings as signatures_encodings

MUTATIONS = (*signatures_encodings.MUTATIONS, *signatures_added.MUTATIONS, *signatures_dropped.MUTATIONS)
