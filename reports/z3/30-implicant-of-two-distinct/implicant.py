from z3 import *

i, j = Ints("i j")
formula = And(Distinct(i, 0, 1), Distinct(j, 0, 1))
solver = Solver()
solver.add(formula, i == 3, j == 3)
solver.check()
model = solver.model()
implicant = BoolRef(Z3_model_extrapolate(main_ctx().ref(), model.model, formula.as_ast()))
print(implicant)
solver = Solver()
solver.add(implicant, Not(formula))
print("implies the formula:", solver.check() == unsat)
