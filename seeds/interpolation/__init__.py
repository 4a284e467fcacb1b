"""Seeds for interpolation: paths of C programs, unrollings of CHC seeds, splits of SMT seeds, and written ones.

`python -m seeds.interpolation` writes all but the last to corpus-itp/.
"""
