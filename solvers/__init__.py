"""Running a solver. Importing a module that needs z3 before `z3_release.activate` has chosen one is a mistake."""
