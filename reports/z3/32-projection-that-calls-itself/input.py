from z3 import *

D = Datatype("D")
D.declare("nil")
D.declare("cons", ("hd", IntSort()), ("tl", D))
D = D.create()
b, i, d, e = Bool("b"), Int("i"), Const("d", D), Const("e", D)
formula = d == If(b, e, D.cons(i, e))
solver = Solver()
solver.add(formula, b)
solver.check()
model = solver.model().model
gone = (Ast * 2)(e.as_ast(), i.as_ast())
print(BoolRef(Z3_qe_model_project(main_ctx().ref(), model, 2, gone, formula.as_ast())))
