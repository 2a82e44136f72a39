// The page of a treebank: a list of sentences that can be filtered and ordered, and their trees, drawn when seen.

const control = Object.fromEntries(
  ["text", "where", "deprel", "order", "below", "parse", "drawn", "crossing", "errors"].map((id) => [id, byId(id)]));
const parses = data.files.length - 1;
const shown = { sentences: [], current: -1, word: 0, confusion: null, condition: "", holds: () => 1 };
const cards = new Map();
const DOUBT = [[0.5, "doubtful"], [0.8, "unsure"], [0.95, "likely"]];
const DOUBT_KEYS = { doubtful: "below 50 %", unsure: "below 80 %", likely: "below 95 %" };
const SCORE = /(?:^|\|)Conf=([\d.]+)/;
const KEPT = /(?:^|\|)Keep=([^|]+)/;

/** The values of a column of a sentence: they are kept as numbers of a table where few are different. */
function column(sentence, name) {
  const values = sentence.columns[name];
  if (!values) return sentence.columns.form.map(() => "_");
  return data.tables[name] ? values.map((number) => data.tables[name][number]) : values;
}

/** Probability that head and label of each word are right, from MISC, or null where there is none. */
function confidences(sentence) {
  sentence.conf ??= column(sentence, "misc").map((value) => {
    const score = SCORE.exec(value);
    return score && Number(score[1]);
  });
  return sentence.conf;
}

/** What a person has decided of words, from MISC: Yes, or names of columns. */
function keepsOf(sentence) {
  sentence.keeps ??= new Map(column(sentence, "misc").flatMap((value, k) => {
    const kept = KEPT.exec(value);
    return kept ? [[k + 1, kept[1]]] : [];
  }));
  return sentence.keeps;
}

/** The words of a sentence whose arcs are decided. */
const fixedWords = (sentence) => new Set([...keepsOf(sentence)]
  .filter(([, columns]) => columns === "Yes" || columns.split(",").includes("head")).map(([word]) => word));

/** Colour the words of a drawn sentence by confidence, and mark decided ones. */
function markWords(card) {
  const sentence = data.sentences[card.dataset.sentence];
  const fixed = fixedWords(sentence);
  for (const node of card.querySelectorAll(".word[data-word]")) {
    const word = Number(node.dataset.word);
    const conf = confidences(sentence)[word - 1];
    const level = DOUBT.find(([limit]) => conf !== null && conf < limit);
    if (sentence.notes?.[word]) node.classList.add("noted");
    if (fixed.has(word)) node.classList.add("fixed");
    else if (level) node.classList.add(level[1]);
  }
}

/** Tree k of a sentence, 0 its own: {heads, deprels}, n + 1 of each. */
function treeOf(sentence, k) {
  const tree = sentence.trees[k];
  tree.deprels ??= ["", ...tree.labels.map((number) => data.deprels[number])];
  tree.crossing ??= crossingWords(tree.heads);
  return tree;
}

/** The words, multiword tokens and empty nodes of a sentence for drawTree. */
function lineOf(sentence) {
  const extras = sentence.extras.map(([after, cells], extra) => ({ after, cells, extra, form: cells[data.form] }));
  const range = (id) => id.split("-").map(Number);
  return {
    forms: sentence.columns.form,
    below: control.below.value ? [column(sentence, control.below.value)] : [],
    multiword: extras.filter(({ cells }) => cells[0].includes("-"))
      .map((token) => ({ ...token, first: range(token.cells[0])[0], last: range(token.cells[0])[1] })),
    empty: extras.filter(({ cells }) => !cells[0].includes("-")),
    rightToLeft: Boolean(sentence.rightToLeft),
  };
}

const valuesOf = (sentence) => Object.fromEntries(Object.keys(data.measures).map((name, k) => [name, sentence.measures[k]]));

/** Which of the parsed trees are looked at: one, or all. */
const chosenParses = () => (control.parse.value ? [Number(control.parse.value)] : sequence(parses));
const sequence = (length) => Array.from({ length }, (_, k) => k + 1);

/** A sentence's figures in few words. */
function figures(sentence) {
  const values = valuesOf(sentence);
  const scores = sequence(parses).map((k) => `LAS ${values[k > 1 ? `las${k}` : "las"].toFixed(1)}`);
  const crossing = values.crossing ? [`${values.crossing} crossing`] : [];
  return [`${values.length} ${values.length === 1 ? "word" : "words"}`, ...scores, ...crossing].join(" · ");
}

/** The trees of a sentence as headings and drawings. */
function drawings(sentence) {
  const line = lineOf(sentence);
  const overlaid = parses && control.drawn.value === "overlaid";
  const drawn = overlaid ? chosenParses() : [0, ...(parses ? chosenParses() : [])];
  return drawn.flatMap((k) => {
    const name = data.files[k];
    const figure = html("figure", { tabIndex: 0, dir: line.rightToLeft ? "rtl" : "ltr" },
      drawTree(line, arcsOf(treeOf(sentence, k), k ? treeOf(sentence, 0) : null, overlaid), `${name}: ${sentence.text}`));
    figure.setAttribute("aria-label", `Tree of ${name}`);
    return parses ? [html("h3", {}, name), figure] : [figure];
  });
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    draw(target);
  }
}, { rootMargin: "600px 0px" });

function draw(card) {
  if (card.classList.contains("drawn")) return;
  card.append(...drawings(data.sentences[card.dataset.sentence]));
  card.classList.add("drawn");
  markWords(card);
}

/** Filter by the condition in its field; if it cannot be read, say so and go on with the last one that could. */
function takeCondition() {
  const text = control.where.value.trim();
  let message = "";
  try {
    shown.holds = text ? parseCondition(text, Object.keys(data.measures)) : () => 1;
    shown.condition = text;
  } catch (error) {
    message = `Condition: ${error.message}. Still applied: ${shown.condition || "no condition"}.`;
  }
  byId("where-error").textContent = message;
  control.where.setAttribute("aria-invalid", String(Boolean(message)));
  refresh();
}

/** Whether a word of the sentence is asked for by deprel, crossing arcs, errors and confusion, all at once. */
function hasWord(sentence) {
  const wanted = control.deprel.value;
  const [gold, confusion] = [treeOf(sentence, 0), shown.confusion];
  const inTree = (k, word) => {
    const tree = treeOf(sentence, k);
    if (wanted && ![gold.deprels[word], tree.deprels[word]].includes(wanted)) return false;
    if (control.crossing.checked && !gold.crossing[word] && !tree.crossing[word]) return false;
    if (control.errors.checked && faultOf(gold, tree, word) === "right") return false;
    return !confusion || (gold.deprels[word] === confusion[0] && tree.deprels[word] === confusion[1]);
  };
  const trees = parses ? chosenParses() : [0];
  return trees.some((k) => gold.heads.some((_, word) => word > 0 && inTree(k, word)));
}

/** Text in lower case, with Turkish dotted and dotless i as i. */
function folded(text) {
  return text.toLowerCase().replace(/i\u0307/g, "i").replace(/\u0131/g, "i");
}

/** The sentences asked for, in the order asked for. */
function selected() {
  const text = folded(control.text.value.trim());
  const byWord = control.deprel.value || control.crossing.checked || control.errors.checked || shown.confusion;
  const found = data.sentences.filter((sentence) =>
    (!text || folded(sentence.text).includes(text) || folded(sentence.id).includes(text)) &&
    shown.holds(valuesOf(sentence)) && (!byWord || hasWord(sentence)));
  const [name, direction] = control.order.value.split(" ");
  const place = Object.keys(data.measures).indexOf(name);
  const sign = direction === "down" ? -1 : 1;
  return found.sort((a, b) => sign * (a.measures[place] - b.measures[place]) || a.index - b.index);
}

/** Show the list and the cards anew, after a filter has changed. */
function refresh() {
  const sentences = selected();
  shown.sentences = sentences;
  shown.current = -1;
  hideTip();
  seen.disconnect();
  cards.clear();
  byId("count").textContent = `${sentences.length} of ${data.sentences.length} sentences`;
  byId("list").replaceChildren(...sentences.map((sentence, place) => html("li", {}, html("button",
    { type: "button", onclick: () => go(place, true) },
    html("span", { className: "snippet", dir: sentence.rightToLeft ? "rtl" : "auto" }, sentence.text),
    html("span", { className: "name" }, sentence.id),
    html("span", { className: "figures" }, figures(sentence))))));
  byId("sentences").replaceChildren(...sentences.map((sentence, place) => {
    const card = html("article", {},
      html("h2", {}, html("a", { href: linkTo({ sentence: sentence.number }) }, sentence.id)),
      html("p", { className: "text", dir: sentence.rightToLeft ? "rtl" : "auto" }, sentence.text),
      html("p", { className: "figures" }, figures(sentence)));
    card.dataset.sentence = sentence.index;
    card.dataset.place = place;
    cards.set(place, card);
    seen.observe(card);
    return card;
  }));
}

/** Make the sentence at a place of the list the current one. */
function go(place, focus) {
  if (!cards.has(place)) return;
  byId("list").querySelector("[aria-current]")?.removeAttribute("aria-current");
  hideTip();
  shown.current = place;
  shown.word = 0;
  const button = byId("list").children[place].firstChild;
  button.setAttribute("aria-current", "true");
  button.scrollIntoView({ block: "nearest" });
  const card = cards.get(place);
  draw(card);
  card.scrollIntoView({ block: "start" });
  if (focus) card.querySelector("figure").focus({ preventScroll: true });
  remember({ sentence: shown.sentences[place].number });
}

/** Go to the sentence that the address names; if the filters hide it, without them. */
function openLink() {
  if (linked("sentence") === null) return;
  if (linkedPlace(shown.sentences) < 0) {
    for (const id of ["text", "where", "deprel"]) control[id].value = "";
    for (const id of ["crossing", "errors"]) control[id].checked = false;
    shown.confusion = null;
    listConfusions();
    takeCondition();
  }
  const place = linkedPlace(shown.sentences);
  if (place < 0) byId("count").textContent = `no sentence “${linked("sentence")}” on this page`;
  go(place, true);
}

/** Say all columns of a word, or of an extra row, in a box beside it, and point out its arcs. */
function showTip(target) {
  hideTip();
  const card = target.closest("article");
  const sentence = data.sentences[card.dataset.sentence];
  const { word, extra } = target.dataset;
  const rows = extra === undefined ? columnsOf(sentence, Number(word)) : extraColumns(sentence.extras[extra][1]);
  byId("tip").replaceChildren(html("dl", {}, ...rows.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)])));
  byId("tip").hidden = false;
  target.classList.add("chosen");
  if (word) {
    const tree = target.closest("svg");
    tree.classList.add("attending");
    for (const arc of tree.querySelectorAll(`[data-head="${word}"], [data-dependent="${word}"]`)) arc.classList.add("attended");
  }
  const box = target.getBoundingClientRect();
  const tip = byId("tip").getBoundingClientRect();
  const room = document.documentElement.clientWidth - tip.width - 8;
  const above = box.bottom + tip.height + 8 > innerHeight && box.top > tip.height;
  byId("tip").style.left = `${Math.max(4, Math.min(box.left, room)) + scrollX}px`;
  byId("tip").style.top = `${(above ? box.top - tip.height - 4 : box.bottom + 4) + scrollY}px`;
}

function columnsOf(sentence, word) {
  const cells = data.columns.map((name) => [name, name === "id" ? String(word) : valueAt(sentence, name, word)]);
  const parsed = sequence(parses).flatMap((k) => {
    const { heads, deprels } = treeOf(sentence, k);
    return [[`head, ${data.files[k]}`, `${heads[word]} ${deprels[word]}`]];
  });
  const note = sentence.notes?.[word];
  return [...(note ? [["suspect", note]] : []), ...cells, ...parsed].filter(([, value]) => value !== "_");
}

function valueAt(sentence, name, word) {
  const tree = treeOf(sentence, 0);
  if (name === "head") return String(tree.heads[word]);
  if (name === "deprel") return tree.deprels[word];
  return column(sentence, name)[word - 1];
}

const extraColumns = (cells) => cells.map((cell, k) => [data.columns[k] ?? `column ${k + 1}`, cell]).filter(([, cell]) => cell !== "_");

function hideTip() {
  byId("tip").hidden = true;
  for (const name of ["chosen", "attending", "attended"]) {
    for (const node of document.querySelectorAll(`.${name}`)) node.classList.remove(name);
  }
}

/** Go from word to word of the focused drawing, in the direction of the script. */
function step(figure, by) {
  const words = figure.querySelectorAll(".word[data-word]");
  shown.word = Math.min(Math.max(shown.word + (figure.dir === "rtl" ? -by : by), 1), words.length);
  const word = words[shown.word - 1];
  if (!word) return;
  word.scrollIntoView({ block: "nearest", inline: "center" });
  showTip(word);
}

/** The confusions of deprels in the chosen parsed trees, each a button that shows its sentences. */
function listConfusions() {
  const counts = new Map();
  for (const sentence of data.sentences) {
    const gold = treeOf(sentence, 0);
    for (const k of chosenParses()) {
      const parsed = treeOf(sentence, k);
      gold.deprels.forEach((deprel, word) => {
        if (deprel === parsed.deprels[word]) return;
        const key = JSON.stringify([deprel, parsed.deprels[word]]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      });
    }
  }
  const rows = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  byId("confusions").querySelector("ol").replaceChildren(...rows.map(([key, count]) => {
    const [gold, parsed] = JSON.parse(key);
    const title = `gold ${gold}, parsed as ${parsed}: ${count} ${count === 1 ? "word" : "words"}`;
    const button = html("button", { type: "button", title }, `${gold} > ${parsed}  ${count}`);
    button.setAttribute("aria-pressed", "false");
    button.onclick = () => {
      const pressed = button.getAttribute("aria-pressed") === "true";
      for (const other of byId("confusions").querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", String(!pressed));
      shown.confusion = pressed ? null : [gold, parsed];
      refresh();
    };
    return html("li", {}, button);
  }));
}

/** Fill the controls and say what the page is about. */
function prepare() {
  const names = Object.keys(data.measures);
  data.sentences.forEach((sentence, index) => { Object.assign(sentence, { index, number: valuesOf(sentence).number }); });
  fillChoice(control.deprel, [["", "any"], ...[...data.deprels].sort().map((name) => [name, name])]);
  fillChoice(control.order, [["number up", "of the file"],
    ...names.slice(1).flatMap((name) => [[`${name} up`, `${name}, least first`], [`${name} down`, `${name}, most first`]])]);
  fillChoice(control.below, [["", "nothing"],
    ...data.columns.filter((name) => !["id", "form", "head", "deprel"].includes(name)).map((name) => [name, name])]);
  fillChoice(control.parse, [...(parses > 1 ? [["", "all"]] : []), ...sequence(parses).map((k) => [k, data.files[k]])]);
  control.below.value = ["upos", "gpos"].find((name) => data.columns.includes(name)) ?? "";
  byId("names").replaceChildren(...names.flatMap((name) =>
    [html("dt", {}, html("code", {}, name)), html("dd", {}, data.measures[name])]));
  for (const node of document.querySelectorAll(".parsed")) node.hidden = !parses;
  byId("totals").textContent = data.totals;
  const marked = data.sentences.some((sentence) => keepsOf(sentence).size || confidences(sentence).some((conf) => conf !== null));
  if (!data.service && !marked) return;
  const keys = Object.entries(DOUBT_KEYS).map(([name, text]) => html("span", { className: `key doubt ${name}` }, text));
  byId("legend").append(html("span", {}, ...keys, html("span", { className: "key doubt fixed" }, "decided by a person")));
}

let waiting = 0;
function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 150);
}

/** Put the cursor into a field, which may be folded away. */
function enter(field) {
  byId("controls").open = true;
  field.focus();
}

/** Go from word to word if a drawing has the focus. */
function stepIn({ target }, by) {
  const figure = target.closest("figure");
  if (!figure) return false;
  step(figure, by);
  return true;
}

const KEYS = {
  j: () => go(Math.min(shown.current + 1, shown.sentences.length - 1), true),
  k: () => go(Math.max(shown.current - 1, 0), true),
  ArrowRight: (event) => stepIn(event, 1),
  ArrowLeft: (event) => stepIn(event, -1),
  "/": () => enter(control.text),
  w: () => enter(control.where),
  c: () => control.crossing.click(),
  e: () => { if (parses) control.errors.click(); },
  o: () => {
    control.drawn.value = control.drawn.value === "apart" ? "overlaid" : "apart";
    refresh();
  },
};

function listen() {
  const narrow = matchMedia("(max-width: 700px)");
  const fold = () => { byId("controls").open = !narrow.matches; };
  fold();
  narrow.addEventListener("change", fold);
  control.text.addEventListener("input", soon);
  control.where.addEventListener("change", takeCondition);
  control.where.addEventListener("input", () => { if (!control.where.value) takeCondition(); });
  for (const id of ["deprel", "order", "below", "drawn", "crossing", "errors"]) control[id].addEventListener("change", refresh);
  control.parse.addEventListener("change", () => {
    shown.confusion = null;
    listConfusions();
    refresh();
  });
  byId("confusions").addEventListener("toggle", listConfusions, { once: true });
  for (const type of ["mouseover", "click"]) {
    byId("sentences").addEventListener(type, (event) => {
      const word = event.target.closest?.(".word");
      if (word) showTip(word);
      else if (type === "click" || !byId("tip").hidden) hideTip();
    });
  }
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hideTip(); });
  listenToKeys(KEYS);
  addEventListener("hashchange", openLink);
}

prepare();
listen();
if (data.service) prepareCorrections();
refresh();
openLink();
announceReady();
