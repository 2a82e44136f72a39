"""Pages without a browser: their data, no external resources, and text that does not become markup."""

import json
import re

from crossarc.parser.plugins.drawing.page import interactive_page
from crossarc.parser.plugins.drawing.treebank_page import treebank_page
from crossarc.parser.plugins.drawing.view import View
from drawn import HOSTILE, Elements, hearing, hostile


def data_of(page):
    return json.loads(Elements(page).scripts[0])


def test_pages_load_no_external_resources():
    page = treebank_page([hearing()], ["gold", "parsed"])
    addresses = set(re.findall(r"\w+://[^\s\"']*", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    tags = Elements(page).tags
    assert not [attributes for _, attributes in tags if attributes.keys() & {"src", "onclick", "onload", "onerror"}]
    assert [attributes["href"] for _, attributes in tags if "href" in attributes] == ["data:,"]
    (policy,) = [node["content"] for _, node in tags if node.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none';")
    assert "eval" not in policy


def test_data_of_a_page():
    found = data_of(treebank_page([hearing()], ["gold", "parsed"]))
    (row,) = found["sentences"]
    assert found["files"] == ["gold", "parsed"]
    assert [found["tables"]["upos"][number] for number in row["columns"]["upos"]] == ["VERB", "NOUN"] * 3
    assert set(row["columns"]) == {"form", "upos"}
    assert [tree["heads"] for tree in row["trees"]] == [[-1, 2, 3, 0, 2, 3, 3], [-1, 2, 3, 0, 3, 3, 5]]
    assert [found["deprels"][k] for k in row["trees"][1]["labels"]] == ["det", "obj", "root", "acl", "advmod", "obj"]
    assert row["extras"][0] == [1, ["2-3", "hearing's", *["_"] * 8]]
    assert dict(zip(found["measures"], row["measures"], strict=True))["las"] == 50


def test_hostile_text_does_not_become_markup():
    bad = View(hostile([(0, HOSTILE[0])]))
    harmless, page = treebank_page([hearing()], ["title"]), treebank_page([bad], [HOSTILE[0]])
    assert [tag for tag, _ in Elements(page).tags] == [tag for tag, _ in Elements(harmless).tags]
    forms = [form.replace("\ufffe", "\ufffd") for form in HOSTILE]
    assert data_of(page)["sentences"][0]["columns"]["form"] == forms
    assert page.count("</script>") == harmless.count("</script>") == 2


def test_invalid_characters_are_replaced():
    page = interactive_page("treebank", (), "a\udc80b", {"x": "\udfff\u0001"})
    page.encode("utf-8")
    assert "<title>a\ufffdb</title>" in page
