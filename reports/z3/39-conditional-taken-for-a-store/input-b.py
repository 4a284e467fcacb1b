from z3 import *

a = Array("a", IntSort(), IntSort())
m = Array("m", IntSort(), a.sort())
formula = m == K(IntSort(), Store(a, 0, 1))
solver = Solver()
solver.add(formula)
solver.check()
gone = (Ast * 1)(a.as_ast())
print(BoolRef(Z3_qe_model_project(main_ctx().ref(), solver.model().model, 1, gone, formula.as_ast())))
