"""Round trips: Swap and Covington derive all trees of two non-projective treebanks; ``-m slow`` adds training sets."""

import pytest
from crossarc.parser.plugins.analysis.oracle_report import oracle_report


@pytest.mark.parametrize("split", ["dev", pytest.param("train", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["Ancient_Greek-AGDT", "Gothic-PROIEL"])
def test_swap_and_covington_derive_every_tree_of_treebanks(name, split, treebanks):
    reader = pytest.importorskip("crossarc.parser.treebank")
    paths = sorted((treebanks / name).glob(f"{split}.*"))
    if not paths:
        pytest.skip(f"no {split} file of {name} in the folder of treebanks")
    sentences = reader.read_treebank(paths[0]).sentences
    swaps = {}
    for system, oracle in (("swap", "lazy"), ("swap", "eager"), ("covington", "static")):
        report = oracle_report(system, sentences, oracle=oracle)
        assert report.underivable == []
        assert report.moves.total() > sum(map(len, sentences)) + len(sentences)
        swaps[oracle] = [sentence.moves["SWAP"] for sentence in report.sentences]
    assert all(lazy <= eager for lazy, eager in zip(swaps["lazy"], swaps["eager"], strict=True))
    assert sum(swaps["lazy"]) < sum(swaps["eager"])
