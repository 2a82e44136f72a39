"""The file that is edited in the browser: each change is stored at once, all other sentences stay byte for byte."""

import json

import pytest
from crossarc import CrossarcError, read_sentences
from crossarc.parser.plugins.serving.editing import ChangedError, EditedFile
from hypothesis import given, settings, strategies as st
from installed import needs
from service import ask, running

pytestmark = needs("graph", "raw_text")

ROWS = {
    "cat": (
        "# sent_id = a\n# source = a person\n# text = the cat sees zum dog.\n"
        "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\tConf=0.40|Gloss=DEF\n"
        "2\tcat\tcat\tNOUN\t_\tNumber=Sing\t3\tnsubj\t_\tConf=0.90\n"
        "3\tsees\tsee\tVERB\t_\t_\t0\troot\t_\tConf=0.99\n"
        "4-5\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "4\tzu\tzu\tADP\t_\t_\t6\tcase\t_\t_\n5\tdem\tder\tDET\t_\t_\t6\tdet\t_\t_\n"
        "6\tdog\tdog\tNOUN\t_\t_\t3\tobl\t_\tSpaceAfter=No\n7\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_\n"
    ),
    "graph": (
        "# sent_id = b\n1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t2:nsubj\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t0:root\t_\n"
        "2.1\t_\tbark\tVERB\t_\t_\t_\t_\t2:conj\t_\n"
    ),
    "open": "# sent_id = c\n1\tשלום\t_\tINTJ\t_\t_\t_\t_\t_\t_\n2\tעולם\t_\tNOUN\t_\t_\t_\t_\t_\t_\n",
}
WORD = "[...document.querySelectorAll('article')][{}].querySelector('.word[data-word=\"{}\"]')"
READY = "document.querySelectorAll('article.drawn figure').length === 3"


def text_of(name):
    return ROWS[name].rstrip("\n")


@given(
    names=st.lists(st.sampled_from([*ROWS]), min_size=1, max_size=4),
    gaps=st.lists(st.sampled_from(["\n", "\n\n", "\n\n\n"]), min_size=4, max_size=4),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
    finished=st.booleans(),
    data=st.data(),
)
@settings(max_examples=60, deadline=None)
def test_one_sentence_changes_and_all_other_bytes_stay(names, gaps, end, mark, finished, data, tmp_path_factory):
    file = tmp_path_factory.mktemp("edited") / "batch.conllu"
    parts = [part for name, gap in zip(names, gaps, strict=False) for part in (ROWS[name], gap)]
    if not finished:
        parts[-2:] = [text_of(names[-1])]
    raw = ["\ufeff" * mark, *(part.replace("\n", end) for part in parts)]
    file.write_bytes("".join(raw).encode())
    number = data.draw(st.integers(0, len(names) - 1))
    after = text_of(data.draw(st.sampled_from([*ROWS])))
    EditedFile(str(file)).replace(number, text_of(names[number]), after)
    raw[1 + 2 * number] = after.replace("\n", end) + (end if parts[2 * number].endswith("\n") else "")
    assert file.read_bytes() == "".join(raw).encode()


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_sentence_that_others_have_changed_is_not_overwritten(number, tmp_path):
    file = tmp_path / "batch.conllu"
    file.write_text("\n".join(ROWS.values()), "utf-8")
    before = file.read_bytes()
    with pytest.raises(ChangedError, match="reload"):
        EditedFile(str(file)).replace(number, text_of("open"), text_of("graph"))
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "after",
    [
        "",
        "# only a comment",
        f"{text_of('graph')}\n\n{text_of('open')}",
        text_of("graph").replace("2\tnsubj\t", "9\tnsubj\t"),
        text_of("graph").replace("\t0\troot\t", "\t1\troot\t"),
        text_of("graph").replace("\t_\n2\t", "\n2\t"),
        " " + text_of("open"),
        "# global.columns = ID FORM HEAD DEPREL\n1\tx\t0\troot",
        "1\tx\t_\t_\t_\t_\t0\troot",
    ],
    ids=["nothing", "comment", "two", "head", "cycle", "columns", "space", "other columns", "eight columns"],
)
def test_lines_that_are_no_sentence_are_refused(after, tmp_path):
    file = tmp_path / "batch.conllu"
    file.write_text("\n".join(ROWS.values()), "utf-8")
    before = file.read_bytes()
    with pytest.raises(CrossarcError):
        EditedFile(str(file)).replace(1, text_of("graph"), after)
    assert file.read_bytes() == before


@pytest.mark.parametrize(("name", "text"), [("a.conllu.gz", ""), ("a.conllu", "1\ta\n\n"), ("missing.conllu", None)])
def test_files_that_cannot_be_edited_are_refused(name, text, tmp_path):
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    with pytest.raises(CrossarcError, match=name):
        EditedFile(str(file))


def test_files_with_fewer_columns_are_refused_and_never_made(tmp_path):
    """The editor writes all ten columns."""
    file = tmp_path / "batch.conllu"
    eight = "1\tx\t_\t_\t_\t_\t0\troot"
    file.write_text(f"{eight}\n\n", "utf-8")
    with pytest.raises(CrossarcError, match="8 columns"):
        EditedFile(str(file))
    file.write_text(f"{text_of('open')}\n\n", "utf-8")
    with pytest.raises(CrossarcError, match="8 columns"):
        EditedFile(str(file)).replace(0, text_of("open"), eight)
    assert file.read_text("utf-8") == f"{text_of('open')}\n\n"


@pytest.fixture(scope="module")
def edited(raw, tmp_path_factory):
    """A service that edits a file, and the file."""
    folder = tmp_path_factory.mktemp("edited")
    file = folder / "batch.conllu"
    file.write_text("\n".join(ROWS.values()) + "\n", "utf-8")
    with running(raw.model, folder / "log", "--edit", file) as started:
        yield started, file


@pytest.fixture
def batch(edited):
    """The file as it was."""
    edited[1].write_text("\n".join(ROWS.values()) + "\n", "utf-8")
    return edited[1]


@pytest.fixture
def page(edited, batch, browser):
    browser.open(f"{edited[0].address}/edit")
    browser.wait(READY)
    yield browser
    assert browser.complaints == []


def open_word(page, sentence, word):
    page.evaluate(f"{WORD.format(sentence, word)}.dispatchEvent(new MouseEvent('click', {{bubbles: true}})), 0")


def fix(page, button="byId('correct').querySelector('form').requestSubmit()", **values):
    for name, value in values.items():
        page.evaluate(f"byId('{name.replace('_', '-')}').value = {json.dumps(value)}, 0")
    page.evaluate(f"{button}, 0")
    page.wait("!byId('correct').open")


def sentences(batch):
    return list(read_sentences(batch))


@needs("annotation")
def test_changes_are_stored_and_undone(page, batch):
    """The rest of a sentence with confidences is attached again; words without a model's say stay."""
    before = batch.read_bytes()
    open_word(page, 0, 1)
    assert page.evaluate("byId('correct-again').checked")
    fix(page, correct_head="3", correct_label="odd", edit_lemma="der")
    first = sentences(batch)[0]
    assert (first.heads()[1], first.deprels()[1], first.column("lemma")[0]) == (3, "odd", "der")
    assert first.column("misc")[0] == "Gloss=DEF|Keep=Yes"
    assert all("Conf=" in entry for entry in first.column("misc")[1:])
    assert [*first.comments] == text_of("cat").split("\n")[:3]
    assert batch.read_bytes().endswith(before[before.index(b"# sent_id = b") :])
    page.evaluate("undo()")
    assert batch.read_bytes() == before
    assert page.evaluate("data.sentences[0].trees[0].deprels[1]") == "det"


def test_tags_change_and_other_arcs_stay(page, batch):
    open_word(page, 1, 1)
    assert not page.evaluate("byId('correct-again').checked")
    fix(page, edit_upos="PROPN", edit_feats="Number=Plur")
    word = sentences(batch)[1]
    assert (word.column("upos")[0], word.column("feats")[0]) == ("PROPN", "Number=Plur")
    assert (word.heads(), word.column("misc")) == ([-1, 2, 0], ("Keep=Yes", "_"))
    assert word.column("deps") == ("2:nsubj", "0:root")  # the graph stays with the tree
    open_word(page, 1, 1)
    fix(page, correct_label="obj")
    word = sentences(batch)[1]
    assert word.column("deps") == ("_", "_")
    assert not word.extras
    assert any("DEPS" in comment for comment in word.comments)


@pytest.mark.parametrize(("word", "form"), [(2, "ca t"), (4, "z u"), (5, "d e m"), (6, "do g")])
def test_a_space_splits_a_word(word, form, page, batch):
    """All arcs between the other words stay, and multiword tokens have the same first and last words."""
    old = sentences(batch)[0]
    more = form.count(" ")
    open_word(page, 0, word)
    page.evaluate("byId('correct-again').checked = false, 0")
    fix(page, edit_form=form)
    new = sentences(batch)[0]

    def moved(number):
        return number + more * (number > word)

    assert len(new) == len(old) + more
    assert new.column("form")[word - 1 : word + more] == tuple(form.split())
    for dependent in range(1, len(old) + 1):
        assert new.heads()[moved(dependent)] == moved(old.heads()[dependent])
    (token,) = [row.split("\t")[0] for _, row in new.extras]
    assert token == f"{moved(4)}-{moved(5) + more * (word == 5)}"
    assert new.spelled_out.replace(" ", "") == old.spelled_out.replace(" ", "")
    assert len(new.spelled_out) == len(old.spelled_out)


def test_lines_are_edited_as_text(page, batch):
    before = batch.read_bytes()
    page.press("j", "r")
    page.evaluate(
        "byId('rows-text').value = byId('rows-text').value.replace('\\t3\\tnsubj', '\\t9\\tnsubj'), saveRows()"
    )
    page.wait("byId('rows-error').textContent !== ''")
    assert batch.read_bytes() == before
    page.complaints.clear()  # the browser reports status 400
    page.evaluate("byId('rows-text').value = byId('rows-text').value.replace('\\t9\\tnsubj', '\\t3\\tobj'), saveRows()")
    page.wait("!byId('rows').open")
    assert batch.read_bytes() == before.replace(b"\t3\tnsubj", b"\t3\tobj")


def test_the_keyboard_accepts_sentences(page, batch):
    before = batch.read_bytes()
    page.press("j", "j", "a")
    page.wait("byId('saved').textContent.includes('saved')")
    accepted = sentences(batch)[1]
    assert accepted.column("misc") == ("Keep=Yes", "Keep=Yes")
    assert accepted.column("deps") == ("2:nsubj", "0:root")  # the tree is that of before, and so is the graph
    assert page.evaluate("document.querySelectorAll('article')[1].querySelectorAll('.word.fixed').length") == 2
    page.press("u")
    page.wait("byId('saved').textContent.includes('undone')")
    assert batch.read_bytes() == before


def test_words_without_a_head_are_not_accepted(page, batch):
    before = batch.read_bytes()
    page.evaluate("accept(document.querySelectorAll('article')[2])")
    assert batch.read_bytes() == before


def test_keys_do_nothing_while_a_form_is_open(page, batch):
    before = batch.read_bytes()
    page.press("j")
    page.press("r")
    page.evaluate("byId('rows-text').focus(), 0")
    page.press("a", "u", "j")
    page.evaluate("byId('rows').close(), 0")
    open_word(page, 0, 1)
    page.press("a")
    page.evaluate("byId('correct').close(), 0")
    assert batch.read_bytes() == before


def test_quick_changes_follow_each_other(page, batch):
    """Two submissions of one form store it once; changes of one sentence begin with what the last has stored."""
    open_word(page, 0, 2)
    page.evaluate("byId('edit-form').value = 'ca t', byId('correct-again').checked = false, 0")
    page.evaluate("Promise.all([submitEdit(true), submitEdit(true)])")
    assert len(sentences(batch)[0]) == 8
    card = "document.querySelector('article')"
    page.evaluate(f"Promise.all([accept({card}), accept({card}), undo(), undo()])")
    assert len(sentences(batch)[0]) == 8


def test_the_lemma_of_an_open_word_can_be_corrected(page, batch):
    open_word(page, 2, 2)
    page.evaluate("byId('correct-again').checked = false, 0")
    fix(page, edit_lemma="x")
    word = sentences(batch)[2]
    assert (word.column("lemma")[1], word.column("head"), word.column("misc")) == ("x", ("_", "_"), ("_", "_"))


@needs("annotation")
def test_open_words_are_attached(page, batch):
    """Text from right to left without a tree: what is decided stays, the rest is parsed."""
    open_word(page, 2, 1)
    fix(page, correct_head="0", correct_label="root")
    (_, first, second), labels = sentences(batch)[2].heads(), sentences(batch)[2].deprels()
    assert (first, second, labels[1]) == (0, 1, "root")
    assert page.evaluate("document.querySelectorAll('article')[2].querySelector('figure').dir") == "rtl"


@needs("annotation")
def test_a_page_that_is_out_of_date_overwrites_nothing(page, batch):
    newer = batch.read_text("utf-8").replace("Gloss=DEF", "Gloss=the")
    batch.write_text(newer, "utf-8")
    open_word(page, 0, 1)
    page.evaluate("byId('correct').querySelector('form').requestSubmit(), 0")
    page.wait("byId('correct-error').textContent.includes('reload')")
    assert batch.read_text("utf-8") == newer
    page.complaints.clear()  # the browser reports status 409


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{}", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"{", "application/json", 400),
        (json.dumps({"number": 9, "before": "", "after": text_of("cat")}).encode(), "application/json", 409),
        (json.dumps({"number": 0, "before": text_of("cat"), "after": "x"}).encode(), "application/json", 400),
        (json.dumps({"number": 0, "before": text_of("cat"), "after": text_of("open")}).encode(), "text/plain", 415),
    ],
)
def test_requests_that_change_nothing_are_refused(body, kind, status, edited, batch):
    before = batch.read_bytes()
    assert ask(edited[0], "/edit", body, {"Content-Type": kind})[0] == status
    assert batch.read_bytes() == before


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example:8001"}, {"Origin": "http://evil.example"}, {"Origin": "null"}]
)
def test_pages_of_other_addresses_cannot_read_or_change_the_file(headers, edited):
    assert ask(edited[0], "/edit", None, headers)[0] == 403


def test_services_without_a_file_have_no_editor(raw):
    assert ask(raw, "/edit")[0] == 404
