from z3 import *

a, b, c = Array("a", IntSort(), IntSort()), Array("b", IntSort(), IntSort()), Bool("c")
formula = b == If(c, Store(a, 0, 1), a)
solver = Solver()
solver.add(formula)
solver.check()
gone = (Ast * 1)(a.as_ast())
print(BoolRef(Z3_qe_model_project(main_ctx().ref(), solver.model().model, 1, gone, formula.as_ast())))
