"""The standard's constants; Python floats, so that they are weak beside every dtype."""

e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None
pi = 3.141592653589793
