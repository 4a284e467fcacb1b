from z3 import *

a, x, y = Array("a", IntSort(), IntSort()), Int("x"), Int("y")
formula = Store(a, 0, x) != Store(a, 0, y)
solver = Solver()
solver.add(formula)
solver.check()
gone = (Ast * 1)(a.as_ast())
print(BoolRef(Z3_qe_model_project(main_ctx().ref(), solver.model().model, 1, gone, formula.as_ast())))
