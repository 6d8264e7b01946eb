"""How cost grows with the number of facts: perdure, the floor, and rivals, in the same minute."""
