"""Levels of effort: the choice of a parser on all treebanks but one."""

from crossarc.experiments.studies.levels.experiment import left_out


def test_choice_for_a_treebank_depends_only_on_other_treebanks():
    tried = {"ready": {"a": 1.0, "b": 2.0, "c": 2.0}, "other": {"a": 9.0, "b": 1.5, "c": 1.5}}
    assert left_out(tried, "a") == {"parser": "ready", "las": 1.0, "gain": 0.0}
    assert left_out(tried, "b") == {"parser": "other", "las": 1.5, "gain": -0.5}
