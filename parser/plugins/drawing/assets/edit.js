// Editing of a file that the service opened: every change is stored at once, and can be undone.

const EDITED = ["form", "lemma", "upos", "xpos", "feats"];
const LOST = "# edited = without DEPS and empty nodes, which may contradict the new tree";
const undoable = [];
const queue = { last: Promise.resolve(), busy: false };
const place = Object.fromEntries(data.columns.map((name, k) => [name, k]));
const isWord = ([id]) => /^\d+$/.test(id);
const rowsDialog = html("dialog", { id: "rows" });

/** Do one thing after the other: a change begins with what the one before has stored. */
function inOrder(task) {
  const done = queue.last.then(task);
  queue.last = done.catch(() => {});
  return done;
}

/** Comments and rows of a text; rows are lists of cells. */
function partsOf(text) {
  const lines = text.split("\n");
  return [lines.filter((line) => line.startsWith("#")), lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"))];
}

const textOf = (comments, rows) => [...comments, ...rows.map((cells) => cells.join("\t"))].join("\n");

/** The number of a value in its table, which may be new. */
function numbered(name, value) {
  if (name === "form") return value;
  const table = (data.tables[name] ??= []);
  const known = table.indexOf(value);
  return known < 0 ? table.push(value) - 1 : known;
}

/** Make a sentence what its lines say. */
function takeText(sentence, text) {
  const [comments, rows] = partsOf(text);
  const words = rows.filter(isWord);
  const values = (name) => words.map((cells) => cells[place[name]]);
  const comment = (key) => comments.find((line) => line.startsWith(`# ${key} = `))?.slice(key.length + 5);
  const plain = data.columns.filter((name) => !["id", "head", "deprel"].includes(name));
  sentence.columns = Object.fromEntries(plain.map((name) => [name, values(name).map((value) => numbered(name, value))]));
  let before = 0;
  sentence.extras = [];
  for (const cells of rows) {
    if (isWord(cells)) before = Number(cells[0]);
    else sentence.extras.push([before, cells]);
  }
  const heads = values("head").map((head) => (head === "_" ? -1 : Number(head)));
  sentence.trees = [{ heads: [-1, ...heads], deprels: ["", ...values("deprel")] }];
  data.deprels = [...new Set([...data.deprels, ...values("deprel")])];
  Object.assign(sentence, { source: text, conf: undefined, keeps: undefined, text: comment("text") ?? sentence.text });
}

/** Store a sentence in the file. Throws what the service refuses. */
async function store(sentence, before, after) {
  const body = JSON.stringify({ number: sentence.index, before, after });
  const answer = await fetch(data.service.edit, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!answer.ok) throw new Error((await answer.text()).trim());
}

/** The rows without DEPS and empty nodes, and a comment if they had any; as they are if the tree is that of before. */
function withoutGraph(comments, rows, before) {
  const treeIn = (some) => some.filter(isWord).map((cells) => [cells[0], cells[place.head], cells[place.deprel]].join(" ")).join("\n");
  if (treeIn(rows) === treeIn(before)) return [comments, rows];
  const kept = rows.filter(([id]) => !id.includes("."));
  const lost = kept.length < rows.length || rows.some((cells) => cells[place.deps] !== "_");
  return [lost && !comments.includes(LOST) ? [...comments, LOST] : comments, kept.map((cells) => cells.with(place.deps, "_"))];
}

/** Split the row of a word into one for each form; the new words hang from the first. */
function split(rows, word, forms) {
  const more = forms.length - 1;
  const moved = (number) => (number > word ? number + more : number);
  const inToken = rows.some(([id]) => id.includes("-") && id.split("-").every((end, k) => (k ? word <= Number(end) : Number(end) <= word)));
  return rows.flatMap((cells) => {
    const row = [...cells];
    if (row[place.head] !== "_") row[place.head] = String(moved(Number(row[place.head])));
    const [first, last] = row[0].split("-").map(Number);
    if (!isWord(row)) return [row.with(0, `${moved(first)}-${last >= word ? last + more : last}`)];
    if (first !== word) return [row.with(0, String(moved(first)))];
    const spaces = row[place.misc].split("|").filter((entry) => /^Spaces?After=/.test(entry));
    const others = row[place.misc].split("|").filter((entry) => !spaces.includes(entry));
    return forms.map((form, k) => {
      const part = k ? data.columns.map(() => "_") : [...row];
      if (k) Object.assign(part, { [place.head]: String(word), [place.deprel]: "dep" });
      const misc = [...(k ? [] : others.filter((entry) => entry !== "_")), ...(inToken ? [] : k < more ? ["SpaceAfter=No"] : spaces)];
      return part.with(place.misc, misc.join("|") || "_").with(0, String(word + k)).with(place.form, form);
    });
  });
}

/** MISC with an entry, or without it if its value is null. */
function noted(misc, key, value) {
  const entries = misc.split("|").filter((entry) => entry !== "_" && !entry.startsWith(`${key}=`));
  return [...entries, ...(value === null ? [] : [`${key}=${value}`])].join("|") || "_";
}

/** Revise the rows of a sentence, let the service attach the other words if asked, store it, and show it. */
function change(card, revise, again) {
  return inOrder(async () => {
    const sentence = data.sentences[card.dataset.sentence];
    const before = sentence.source;
    const [comments, old] = partsOf(before);
    const rows = revise(old).map((cells) => [...cells]);
    if (again) {
      const draft = { ...sentence };
      takeText(draft, textOf(comments, rows));
      const tree = treeOf(draft, 0);
      const fixed = [...fixedWords(draft)].filter((word) => tree.heads[word] >= 0);
      const arcs = new Map(fixed.map((word) => [word, [tree.heads[word], tree.deprels[word]]]));
      const { heads, deprels, conf } = await parsedAgain(draft, arcs);
      rows.filter(isWord).forEach((cells, k) => {
        Object.assign(cells, { [place.head]: String(heads[k]), [place.deprel]: deprels[k] });
        const score = conf && !arcs.has(k + 1) ? conf[k].toFixed(2) : null;
        cells[place.misc] = noted(noted(cells[place.misc], "ConfHead", null), "Conf", score);
      });
    }
    await keep(card, before, textOf(...withoutGraph(comments, rows, old)));
  });
}

/** Store new lines of a sentence, remember the old ones, and show it. */
async function keep(card, before, after) {
  const sentence = data.sentences[card.dataset.sentence];
  await store(sentence, before, after);
  undoable.push({ card, before, after });
  takeText(sentence, after);
  drawAgain([...cards.values()].find((shownCard) => shownCard.dataset.sentence === card.dataset.sentence) ?? card);
  byId("undo").disabled = false;
  byId("saved").textContent = `Sentence ${sentence.id} saved in ${data.files[0]}.`;
}

/** Take the last change back, in the file, too. */
function undo() {
  return inOrder(async () => {
    const last = undoable.pop();
    if (!last) return;
    try {
      await keep(last.card, last.after, last.before);
      undoable.pop();
      byId("saved").textContent = "Change undone.";
    } catch (error) {
      undoable.push(last);
      byId("saved").textContent = error.message;
    }
    byId("undo").disabled = !undoable.length;
  });
}

/** Store the word in the form, once, and close it; errors stay in the form. */
async function submitEdit(fix) {
  if (queue.busy) return;
  queue.busy = true;
  try {
    await edit(fix);
    dialog.close();
  } catch (error) {
    byId("correct-error").textContent = error.message;
  } finally {
    queue.busy = false;
  }
}

/** Change the word in the form as it was filled in. A form with a new space splits it. */
function edit(fix) {
  const { card, word } = editing;
  const values = Object.fromEntries(EDITED.map((name) => [name, byId(`edit-${name}`).value.trim() || "_"]));
  const forms = values.form === editing.form ? [values.form] : values.form.split(/\s+/);
  Object.assign(values, { form: forms[0], head: byId("correct-head").value || "_", deprel: byId("correct-label").value.trim() || "_" });
  const decided = fix && values.head !== "_" ? "Yes" : null;
  return change(card, (rows) => {
    const changed = rows.map((cells) => {
      if (cells[0] !== String(word)) return [...cells];
      const row = data.columns.map((name, k) => values[name] ?? cells[k]);
      return row.with(place.misc, noted(noted(noted(row[place.misc], "Conf", null), "ConfHead", null), "Keep", decided));
    });
    return forms.length > 1 ? split(changed, word, forms) : changed;
  }, byId("correct-again").checked);
}

/** Say that all words of a sentence are right. */
function accept(card) {
  if (!card) return undefined;
  const withKeep = (cells) => cells.with(place.misc, noted(cells[place.misc], "Keep", "Yes"));
  const accepted = (rows) => rows.map((cells) => (isWord(cells) && cells[place.head] !== "_" ? withKeep(cells) : cells));
  return change(card, accepted, false).catch((error) => { byId("saved").textContent = error.message; });
}

/** Open all lines of a sentence as text. */
function openRows(card) {
  if (!card) return;
  editing.card = card;
  editing.lines = data.sentences[card.dataset.sentence].source;
  byId("rows-text").value = editing.lines;
  byId("rows-error").textContent = "";
  rowsDialog.showModal();
}

async function saveRows() {
  try {
    await inOrder(() => keep(editing.card, editing.lines, byId("rows-text").value.replace(/^[\n ]+|[\n ]+$/g, "")));
    rowsDialog.close();
  } catch (error) {
    byId("rows-error").textContent = error.message;
  }
}

/** The sentence that has the focus, or the current one of the list. */
const currentCard = () => document.activeElement.closest("article") ?? cards.get(shown.current);

/** Fill the fields for the columns of a word. */
function fillFields(sentence, word) {
  for (const name of EDITED) byId(`edit-${name}`).value = valueAt(sentence, name, word);
  editing.form = valueAt(sentence, "form", word);
  const conf = confidences(sentence);
  byId("correct-again").checked = conf.some((value) => value !== null) || treeOf(sentence, 0).heads.slice(1).includes(-1);
}

/** Add what an edited file needs: fields, buttons and keys. */
function prepareEditing() {
  const fields = EDITED.map((name) => html("label", {}, `${name.toUpperCase()} `,
    html("input", { id: `edit-${name}`, autocomplete: "off", spellcheck: false })));
  byId("edit-fields").append(...fields, html("label", { className: "check" },
    html("input", { id: "correct-again", type: "checkbox" }), " attach the words again that are not fixed"));
  const text = html("textarea", { id: "rows-text", rows: 16, cols: 100, wrap: "off", spellcheck: false });
  text.setAttribute("aria-label", "Lines of the sentence");
  const error = html("p", { id: "rows-error" });
  error.setAttribute("role", "alert");
  rowsDialog.setAttribute("aria-label", "Lines of the sentence");
  rowsDialog.append(html("form", { onsubmit: (event) => { event.preventDefault(); saveRows(); } }, text, error,
    html("p", {}, html("button", {}, "Save"), " ", html("button", { type: "button", onclick: () => rowsDialog.close() }, "Cancel"))));
  document.body.append(rowsDialog);
  const saved = html("p", { id: "saved" });
  saved.setAttribute("role", "status");
  byId("filters").after(saved);
  byId("filters").append(html("button", { id: "undo", type: "button", disabled: true, onclick: undo }, "Undo"));
  const keys = { a: "accept all words of the sentence", r: "the lines of the sentence as text", u: "undo the last change" };
  byId("help").querySelector("dl").append(...Object.entries(keys).flatMap(([key, meaning]) =>
    [html("dt", {}, html("kbd", {}, key)), html("dd", {}, meaning)]));
  byId("totals").append(`. Click a word, or press Enter on it, to correct it; a space in FORM splits it. Press a to accept `
    + `a sentence, r for its lines, u to undo. Each change is stored in ${data.files[0]} at once.`);
  Object.assign(KEYS, { a: () => { accept(currentCard()); }, r: () => openRows(currentCard()), u: () => { undo(); } });
}
