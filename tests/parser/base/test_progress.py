"""Progress of tasks: watchers receive lines and tasks, plain functions only lines."""

import crossarc
import pytest
from command_line import conllu
from crossarc.parser.base.progress import Task, Watcher, counted, task
from crossarc.parser.treebank import size_of
from installed import needs
from watching import Recorder


def test_watchers_receive_nested_tasks():
    watcher = Recorder()
    assert isinstance(watcher, Watcher)
    with task(watcher, "outer", "files", 2) as advance:
        assert list(counted("ab", watcher, "inner", "letters", size=lambda own: 3)) == ["a", "b"]
        advance(2)
    assert watcher.tasks == [Task("outer", "files", 2), Task("inner", "letters")]
    assert watcher.done == [2, 6]
    assert watcher.ended == [1, 0]
    with pytest.raises(ZeroDivisionError), task(watcher, "dividing"):
        _ = 1 / 0
    assert watcher.ended == [1, 0, 2]


def test_plain_functions_do_not_receive_tasks():
    lines = []
    with task(lines.append, "deriving", "sentences", 3) as advance:
        advance(3)
    assert list(counted([1], lines.append, "counting", "ones")) == [1]
    assert lines == []


@pytest.mark.parametrize(
    ("name", "overrides"),
    [
        ("arc-standard", ["features=small", "explore=1", "system=arc-hybrid"]),
        ("arc-standard", ["features=small", "guide={learner: perceptron, epochs: 2}"]),
        ("graph-first-order", ["graph.epochs=2", "graph.table_bits=16"]),
        ("three-step", ["features=plain"]),
    ],
    ids=["explored", "perceptron", "graph", "three-step"],
)
@needs("further_learners", "graph")
def test_training_and_parsing_report_all_progress(name, overrides, small_treebank, sentences):
    """Each task ends, and tasks with a unit reach their total."""
    watcher = Recorder()
    config = crossarc.load_config(name, overrides, {"treebank.train": str(small_treebank)})
    model = crossarc.train(config, watcher)
    assert any(task.what.startswith("training") for task in watcher.tasks)
    with task(watcher, "parsing", "words", sum(map(len, sentences))) as advance:
        list(model.parse(sentences, advance=advance))
    assert [task.total for task in watcher.tasks if task.unit] == [
        done for own, done in zip(watcher.tasks, watcher.done, strict=True) if own.unit
    ]
    assert sorted(watcher.ended) == list(range(len(watcher.tasks)))


@needs("blending", "graph")
def test_blends_report_progress_in_training_and_parsing(small_treebank, sentences, tmp_path):
    watcher, told = Recorder(), []
    (tmp_path / "blend.yaml").write_text("components: [arc-standard-small, swap-small]\n", "utf-8")
    config = crossarc.load_blend_config(f"{tmp_path}/blend.yaml", [], {"treebank.train": str(small_treebank)})
    model = crossarc.train_blend(config, watcher)
    assert Task("training components", "components", 2) in watcher.tasks
    list(model.parse(sentences, advance=told.append))
    assert len(told) > 1
    assert sum(told) == pytest.approx(sum(map(len, sentences)))


def test_sizes_are_known_of_plain_files(tmp_path):
    path = tmp_path / "own.conllu"
    path.write_text(conllu(1, 5), "utf-8")
    assert size_of(path) == path.stat().st_size
    assert size_of(str(tmp_path / "gone")) is None
    assert size_of("-") is None
    (tmp_path / "own.xz").write_bytes(b"\xfd7zXZ\x00 and so on")
    assert size_of(tmp_path / "own.xz") is None
