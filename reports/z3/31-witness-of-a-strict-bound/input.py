from z3 import *

x = Real("x")
formula = And(1 < x, x < 2)
solver = Solver()
solver.add(formula)
solver.check()
model = solver.model().model
witness = AstMap()
Z3_qe_model_project_with_witness(main_ctx().ref(), model, 1, (Ast * 1)(x.as_ast()), formula.as_ast(), witness.map)
print("x =", witness[x])
print("formula:", simplify(substitute(formula, (x, witness[x]))))
