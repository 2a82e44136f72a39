// Correction of trees: heads and labels that a person fixes, and export. After each change the service parses the
// sentence again and keeps what is fixed.

const editing = { card: null, word: 0 };
const dialog = html("dialog", { id: "correct" });

/** The names of the columns of a sentence that the service reads. */
const givenColumns = (sentence) => Object.keys(sentence.columns).filter((name) => !["deps", "misc"].includes(name));

/** Draw a sentence again, with the focus on its tree. */
function drawAgain(card) {
  for (const figure of card.querySelectorAll("figure")) figure.remove();
  card.classList.remove("drawn");
  draw(card);
  card.querySelector("figure").focus({ preventScroll: true });
}

/** Open the form for the arc of a word. */
function openCorrection(node) {
  hideTip();
  editing.card = node.closest("article");
  editing.word = shown.word = Number(node.dataset.word);
  const sentence = data.sentences[editing.card.dataset.sentence];
  const tree = treeOf(sentence, 0);
  const { forms } = lineOf(sentence);
  const conf = confidences(sentence)[editing.word - 1];
  byId("correct-word").textContent = `${editing.word} ${forms[editing.word - 1]}`;
  byId("correct-conf").textContent = fixedWords(sentence).has(editing.word) ? "fixed"
    : conf === null ? "" : `right with a probability of ${Math.round(100 * conf)} %`;
  const heads = [...(data.service.edit ? [["_", "_ none yet"]] : []), ["0", "0 root"], ...forms.map((form, k) => [String(k + 1), `${k + 1} ${form}`])];
  fillChoice(byId("correct-head"), heads.filter(([number]) => Number(number) !== editing.word));
  byId("correct-head").value = tree.heads[editing.word] < 0 ? "_" : String(tree.heads[editing.word]);
  byId("correct-label").value = tree.deprels[editing.word];
  byId("correct-labels").replaceChildren(...[...data.deprels].sort().map((value) => html("option", { value })));
  byId("correct-release").disabled = !fixedWords(sentence).has(editing.word);
  if (data.service.edit) fillFields(sentence, editing.word);
  byId("correct-error").textContent = "";
  if (!dialog.open) dialog.showModal();
}

/** Ask the service for the tree of a sentence with fixed arcs, {word: [head, label]}. */
async function parsedAgain(sentence, arcs) {
  const columns = givenColumns(sentence).map((name) => [name, column(sentence, name)]);
  const words = sentence.columns.form.map((_, k) => ({
    ...Object.fromEntries(columns.map(([name, values]) => [name, values[k]])),
    ...(arcs.has(k + 1) ? { head: arcs.get(k + 1)[0], deprel: arcs.get(k + 1)[1] } : {}),
  }));
  const body = JSON.stringify({ model: data.service.model, sentences: [words] });
  const answer = await fetch(data.service.address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return (await answer.json()).sentences[0];
}

/** Fix or release the arc of the word in the form, and show the new tree; errors of the service stay in the form. */
async function correct(fix) {
  if (data.service.edit) {
    await submitEdit(fix);
    return;
  }
  const { card, word } = editing;
  const sentence = data.sentences[card.dataset.sentence];
  const tree = treeOf(sentence, 0);
  const arcs = new Map([...fixedWords(sentence)].map((fixed) => [fixed, [tree.heads[fixed], tree.deprels[fixed]]]));
  if (fix) arcs.set(word, [Number(byId("correct-head").value), byId("correct-label").value.trim() || "_"]);
  else arcs.delete(word);
  try {
    const { heads, deprels, conf } = await parsedAgain(sentence, arcs);
    sentence.trees[0] = { heads: [-1, ...heads], deprels: ["", ...deprels] };
    sentence.conf = conf ?? heads.map(() => null);
    keepArc(sentence, word, fix);
    data.deprels = [...new Set([...data.deprels, ...deprels])];
    dialog.close();
    drawAgain(card);
  } catch (error) {
    byId("correct-error").textContent = error.message;
  }
}

/** Mark the arc of a word as decided or not; what is decided of its other columns stays. */
function keepArc(sentence, word, fix) {
  const others = (keepsOf(sentence).get(word) ?? "").split(",").filter((name) => !["", "Yes", "head", "deprel"].includes(name));
  if (fix) keepsOf(sentence).set(word, others.length ? [...others, "head", "deprel"].join(",") : "Yes");
  else if (others.length) keepsOf(sentence).set(word, others.join(","));
  else keepsOf(sentence).delete(word);
}

/** A sentence as CoNLL-U; Keep in MISC says what is decided of a word. */
function conlluOf(sentence) {
  const tree = treeOf(sentence, 0);
  const extras = (after) => sentence.extras.filter(([before]) => before === after).map(([, cells]) => cells.join("\t"));
  const rows = sentence.columns.form.map((_, k) => {
    const word = k + 1;
    const conf = confidences(sentence)[k];
    const decided = keepsOf(sentence).get(word);
    const scored = [...(decided ? [`Keep=${decided}`] : []),
      ...(conf === null || fixedWords(sentence).has(word) ? [] : [`Conf=${conf.toFixed(2)}`])];
    const kept = column(sentence, "misc")[k].split("|").filter((entry) => !/^(_$|Conf=|ConfHead=|Keep=)/.test(entry));
    const cells = { id: word, head: tree.heads[word], deprel: tree.deprels[word], misc: [...kept, ...scored].join("|") || "_" };
    return data.columns.map((name) => cells[name] ?? column(sentence, name)[k]).join("\t");
  });
  const lines = [...extras(0), ...rows.flatMap((row, k) => [row, ...extras(k + 1)])];
  const named = [["sent_id", sentence.id], ["text", sentence.text]].map(([name, value]) => `# ${name} = ${value}`)
    .filter((comment) => !sentence.comments.some((other) => other.startsWith(comment.slice(0, comment.indexOf("=") + 1))));
  return [...sentence.comments, ...named, ...lines, "", ""].join("\n");
}

/** Offer all sentences as a file. */
function save() {
  const file = new Blob([data.sentences.map(conlluOf).join("")], { type: "text/plain" });
  const link = html("a", { href: URL.createObjectURL(file), download: "corrected.conllu" });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Add the form, the legend and the button for saving to the page. */
function prepareCorrections() {
  const error = html("p", { id: "correct-error" });
  error.setAttribute("role", "alert");
  const label = html("input", { id: "correct-label", autocomplete: "off", spellcheck: false });
  label.setAttribute("list", "correct-labels");
  dialog.setAttribute("aria-labelledby", "correct-word");
  dialog.append(html("form", { onsubmit: (event) => { event.preventDefault(); correct(true); } },
    html("h2", { id: "correct-word" }), html("p", { id: "correct-conf" }),
    html("label", {}, "Head ", html("select", { id: "correct-head" })),
    html("label", {}, "Label ", label, html("datalist", { id: "correct-labels" })),
    html("div", { id: "edit-fields" }), error,
    html("p", {}, html("button", {}, "Fix"), " ",
      html("button", { id: "correct-release", type: "button", onclick: () => correct(false) }, "Release"), " ",
      html("button", { type: "button", onclick: () => dialog.close() }, "Cancel"))));
  document.body.append(dialog);
  if (data.service.edit) {
    prepareEditing();
  } else {
    byId("filters").append(html("button", { id: "save", type: "button", onclick: save }, "Save as CoNLL-U"));
    byId("totals").append(". Click a word, or press Enter on it, to fix its head and label; the rest is parsed again.");
  }
  for (const warning of data.service.warnings ?? []) byId("totals").append(html("p", {}, `Warning: ${warning}`));
  byId("sentences").addEventListener("click", (event) => {
    const node = event.target.closest?.(".word[data-word]");
    if (node) openCorrection(node);
  });
  byId("sentences").addEventListener("keydown", (event) => {
    const node = event.target.closest("figure")?.querySelector(".word.chosen[data-word]");
    if (event.key !== "Enter" || !node) return;
    event.preventDefault();
    openCorrection(node);
  });
}
