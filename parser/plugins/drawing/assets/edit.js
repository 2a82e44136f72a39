// Editing of a file that the service opened: every change is stored at once, and can be undone.

const EDITED = ["form", "lemma", "upos", "xpos", "feats"];
const LOST = "# edited = without DEPS and empty nodes, which may contradict the new tree";
const undoable = [];
const place = Object.fromEntries(data.columns.map((name, k) => [name, k]));
const isWord = ([id]) => /^\d+$/.test(id);
const rowsDialog = html("dialog", { id: "rows" });

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

/** The rows without DEPS and empty nodes, and a comment if they had any. */
function withoutGraph(comments, rows) {
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
    return forms.map((form, k) => {
      const part = k ? data.columns.map(() => "_") : [...row];
      if (k) Object.assign(part, { [place.head]: String(word), [place.deprel]: "dep" });
      if (!inToken) part[place.misc] = k < more ? noted(k ? "_" : row[place.misc], "SpaceAfter", "No") : row[place.misc];
      return part.with(0, String(word + k)).with(place.form, form);
    });
  });
}

/** MISC with an entry, or without it if its value is null. */
function noted(misc, key, value) {
  const entries = misc.split("|").filter((entry) => entry !== "_" && !entry.startsWith(`${key}=`));
  return [...entries, ...(value === null ? [] : [`${key}=${value}`])].join("|") || "_";
}

/** Change rows of a sentence, let the service attach the other words if asked, store it, and show it. */
async function change(card, changed, again) {
  const sentence = data.sentences[card.dataset.sentence];
  const before = sentence.source;
  try {
    let [comments, rows] = partsOf(before);
    [comments, rows] = withoutGraph(comments, changed(rows));
    takeText(sentence, textOf(comments, rows));
    if (again) {
      const tree = treeOf(sentence, 0);
      const arcs = new Map([...fixedWords(sentence)].map((word) => [word, [tree.heads[word], tree.deprels[word]]]));
      const { heads, deprels, conf } = await parsedAgain(sentence, arcs);
      rows.filter(isWord).forEach((cells, k) => {
        Object.assign(cells, { [place.head]: String(heads[k]), [place.deprel]: deprels[k] });
        const score = conf && !fixedWords(sentence).has(k + 1) ? conf[k].toFixed(2) : null;
        cells[place.misc] = noted(noted(cells[place.misc], "ConfHead", null), "Conf", score);
      });
    }
    await keep(card, before, textOf(comments, rows));
  } catch (error) {
    takeText(sentence, before);
    throw error;
  }
}

/** Store new lines of a sentence, remember the old ones, and show it. */
async function keep(card, before, after) {
  const sentence = data.sentences[card.dataset.sentence];
  await store(sentence, before, after);
  undoable.push({ card, before, after });
  takeText(sentence, after);
  drawAgain(card);
  byId("undo").disabled = false;
  byId("saved").textContent = `Sentence ${sentence.id} saved in ${data.files[0]}.`;
}

/** Take the last change back, in the file, too. */
async function undo() {
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
}

/** The word in the form as it was filled in. */
function edit(fix) {
  const { card, word } = editing;
  const values = Object.fromEntries(EDITED.map((name) => [name, byId(`edit-${name}`).value.trim() || "_"]));
  const forms = values.form.split(/\s+/);
  Object.assign(values, { form: forms[0], head: byId("correct-head").value, deprel: byId("correct-label").value.trim() || "_" });
  return change(card, (rows) => {
    const changed = rows.map((cells) => {
      if (cells[0] !== String(word)) return [...cells];
      const row = data.columns.map((name, k) => values[name] ?? cells[k]);
      return row.with(place.misc, noted(noted(noted(row[place.misc], "Conf", null), "ConfHead", null), "Keep", fix ? "Yes" : null));
    });
    return forms.length > 1 ? split(changed, word, forms) : changed;
  }, byId("correct-again").checked);
}

/** Say that all words of a sentence are right. */
function accept(card) {
  const right = (rows) => rows.map((cells) => (isWord(cells) ? cells.with(place.misc, noted(cells[place.misc], "Keep", "Yes")) : cells));
  return change(card, right, false).catch((error) => { byId("saved").textContent = error.message; });
}

/** Open all lines of a sentence as text. */
function openRows(card) {
  editing.card = card;
  byId("rows-text").value = data.sentences[card.dataset.sentence].source;
  byId("rows-error").textContent = "";
  rowsDialog.showModal();
}

async function saveRows() {
  const sentence = data.sentences[editing.card.dataset.sentence];
  try {
    await keep(editing.card, sentence.source, byId("rows-text").value.trimEnd());
    rowsDialog.close();
  } catch (error) {
    byId("rows-error").textContent = error.message;
  }
}

const currentCard = () => cards.get(Math.max(shown.current, 0));

/** Fill the fields for the columns of a word. */
function fillFields(sentence, word) {
  for (const name of EDITED) byId(`edit-${name}`).value = valueAt(sentence, name, word);
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
