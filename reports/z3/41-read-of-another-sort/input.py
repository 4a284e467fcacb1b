from z3 import *

a, x = Array("a", IntSort(), IntSort()), Int("x")
m = Array("m", IntSort(), a.sort())
formula = a == Store(m, 0, Store(a, 0, 1))[x]
solver = Solver()
solver.add(formula)
solver.check()
gone = (Ast * 1)(a.as_ast())
print(BoolRef(Z3_qe_model_project(main_ctx().ref(), solver.model().model, 1, gone, formula.as_ast())))
