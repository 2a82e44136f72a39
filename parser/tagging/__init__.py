"""Conversion between columns and labels of taggers: lemmas as edit rules, large tag sets piece by piece."""
