from z3 import *

D = Datatype("D")
D.declare("nil")
D.declare("cons", ("hd", IntSort()), ("tl", D))
D = D.create()
d, e = Consts("d e", D)
formula = And(D.is_nil(d), d != e)
solver = Solver()
solver.add(formula)
solver.check()
gone = (Ast * 1)(d.as_ast())
print(BoolRef(Z3_qe_model_project(main_ctx().ref(), solver.model().model, 1, gone, formula.as_ast())))
