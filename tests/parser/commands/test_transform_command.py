from crossarc.__main__ import main
from crossarc.parser.treebank import read_sentences


def test_reversal_reverses_words_and_can_be_inverted(small_treebank, tmp_path):
    turned, back = str(tmp_path / "turned.conllu"), str(tmp_path / "back.conllu")
    assert main(["transform", "reversal", str(small_treebank), "-o", turned]) == 0
    assert main(["transform", "--invert", "reversal", turned, "-o", back]) == 0
    for own, other in zip(read_sentences(str(small_treebank)), read_sentences(turned), strict=True):
        n = len(own)
        assert other.column("form") == own.column("form")[::-1]
        assert other.heads()[1:] == [n + 1 - head if head else 0 for head in own.heads()[:0:-1]]
    assert [(own.columns, own.comments) for own in read_sentences(back)] == [
        (own.columns, own.comments) for own in read_sentences(str(small_treebank))
    ]


def test_transforms_without_effect_keep_the_file(small_treebank, tmp_path):
    out = tmp_path / "out.conllu"
    assert main(["transform", "coordination", str(small_treebank), "-o", str(out)]) == 0
    assert out.read_bytes() == small_treebank.read_bytes()
