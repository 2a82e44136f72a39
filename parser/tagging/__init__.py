"""Columns as labels of taggers, and back: lemmas as edit rules, large tag sets piece by piece."""
