from z3 import *

x = Int("x")
state = Function("state", IntSort(), BoolSort())
engine = Fixedpoint()
engine.set("engine", "spacer", "xform.slice", False, "xform.inline_linear", False, "xform.inline_eager", False)
engine.register_relation(state)
engine.declare_var(x)
engine.rule(state(x), x == 3)
print(engine.query(state), engine.get_ground_sat_answer())
