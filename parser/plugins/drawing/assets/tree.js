// A tree as SVG elements. Heights, ends of arcs and places of words are found as in parser/drawing/layout.py and
// arcs.py, but with the widths that the browser measures.

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 15;
const LABEL_SIZE = 11;
const MARGIN = 12;
const ROW = LABEL_SIZE + 4;
const LEVEL = 24;
const GAP = 16;
const PORT = 7;
const ROUND = 7;

/** An SVG element with attributes and children; strings among these become text, never markup. */
function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const measured = new Map();
const canvas = document.createElement("canvas").getContext("2d");
const FONT = getComputedStyle(document.body).fontFamily;

/** The width of a text in the page's font; a text is measured once. */
function widthOf(text, size) {
  const key = `${size} ${text}`;
  if (!measured.has(key)) {
    canvas.font = `${size}px ${FONT}`;
    measured.set(key, canvas.measureText(text).width);
  }
  return measured.get(key);
}

/**
 * Which words' arcs are non-projective: some word between head and dependent does not descend from the head.
 * heads: n + 1 numbers, those of a tree.
 */
function crossingWords(heads) {
  if (heads.includes(-1, 1)) return heads.map(() => false); // some words have no head yet
  const descends = (word, head) => {
    while (word > 0 && word !== head) word = heads[word];
    return word === head;
  };
  return heads.map((head, word) => {
    if (word === 0 || head <= 0) return false;
    for (let between = Math.min(word, head) + 1; between < Math.max(word, head); between += 1) {
      if (!descends(between, head)) return true;
    }
    return false;
  });
}

/** How the arc of a word differs from the gold one. */
function faultOf(gold, tree, word) {
  const head = gold.heads[word] !== tree.heads[word];
  const label = gold.deprels[word] !== tree.deprels[word];
  return head && label ? "wrong-both" : head ? "wrong-head" : label ? "wrong-label" : "right";
}

/**
 * The arcs of a tree {heads, deprels, crossing} for drawTree; words with head -1 have none.
 * gold: a tree with which it is compared. missed: whether its arcs come, too, where the head is another one.
 */
function arcsOf(tree, gold, missed) {
  const arc = ({ heads, deprels, crossing }, word, fault) =>
    ({ head: heads[word], dependent: word, deprel: deprels[word], crossing: Boolean(crossing[word]), fault });
  const words = tree.heads.map((_, word) => word).slice(1);
  const arcs = words.filter((word) => tree.heads[word] >= 0).map((word) => arc(tree, word, gold ? faultOf(gold, tree, word) : "right"));
  if (!missed) return arcs;
  return [...arcs, ...words.filter((word) => gold.heads[word] !== tree.heads[word]).map((word) => arc(gold, word, "missed"))];
}

/** The height of each arc {head, dependent}, 1 next to the words: no two above one gap run at the same height. */
function levelsOf(arcs, n) {
  const highest = new Array(n + 1).fill(0);
  const result = new Array(arcs.length).fill(0);
  const place = ({ head, dependent }) => [
    Number(head === 0), Math.abs(head - dependent), Math.min(head, dependent), dependent,
  ];
  const order = arcs.map((arc, number) => ({ number, key: place(arc) }));
  order.sort((a, b) => a.key.reduce((found, value, k) => found || value - b.key[k], 0));
  for (const { number } of order) {
    const { head, dependent } = arcs[number];
    const low = head === 0 ? dependent - 1 : Math.min(head, dependent);
    const high = head === 0 ? dependent + 1 : Math.max(head, dependent);
    result[number] = 1 + Math.max(...highest.slice(low, high));
    highest.fill(result[number], low, high);
  }
  return result;
}

/** For each arc how far its ends at head and dependent are from the middles of the words, left to right. */
function portsOf(arcs, levels) {
  const atNode = new Map();
  const ports = arcs.map(() => ({}));
  arcs.forEach(({ head, dependent }, number) => {
    for (const [node, other] of [[head, dependent], [dependent, head]]) {
      if (!node) continue;
      const side = other ? Math.sign(other - node) : 0;
      if (!atNode.has(node)) atNode.set(node, []);
      atNode.get(node).push({ side, height: -side * levels[number], number });
    }
  });
  for (const [node, ends] of atNode) {
    ends.sort((a, b) => a.side - b.side || a.height - b.height || a.number - b.number);
    ends.forEach(({ number }, place) => { ports[number][node] = PORT * (place - (ends.length - 1) / 2); });
  }
  return ports;
}

/**
 * The places of words and empty nodes, and the width of all.
 * line: {forms, below: rows of n texts, empty: [{after, form}], rightToLeft}.
 */
function placesOf(line, arcs, ports) {
  const halves = line.forms.map((form, k) =>
    Math.max(widthOf(form, SIZE), ...line.below.map((row) => widthOf(row[k], LABEL_SIZE))) / 2);
  ports.forEach((ends) => {
    for (const [node, port] of Object.entries(ends)) halves[node - 1] = Math.max(halves[node - 1], Math.abs(port));
  });
  const wanted = new Map();
  const roots = new Map();
  arcs.forEach(({ head, dependent, deprel }, number) => {
    const width = widthOf(deprel, LABEL_SIZE);
    const [low, high] = [Math.min(head, dependent), Math.max(head, dependent)];
    if (!low) {
      roots.set(high, width / 2);
      return;
    }
    if (!wanted.has(high)) wanted.set(high, []);
    wanted.get(high).push([low, width + 14 + ports[number][low] - ports[number][high]]);
  });
  const middles = [];
  const empty = [];
  let right = MARGIN - GAP;
  for (let word = 0; word <= line.forms.length; word += 1) {
    if (word) {
      const spans = (wanted.get(word) ?? []).map(([low, span]) => middles[low - 1] + span);
      middles.push(Math.max(right + GAP + halves[word - 1], MARGIN + (roots.get(word) ?? 0), ...spans));
      right = middles[word - 1] + halves[word - 1];
    }
    for (const node of line.empty) {
      if (node.after !== word) continue;
      const half = widthOf(node.form, SIZE) / 2;
      empty.push(right + GAP + half);
      right = empty.at(-1) + half;
    }
  }
  const beyond = [...roots].map(([word, half]) => middles[word - 1] + half);
  return { middles, halves, empty, width: Math.max(right, MARGIN, ...beyond) + MARGIN };
}

/**
 * A drawing of a line of words with arcs above it.
 * line: as in placesOf, with multiword: [{first, last, form}]. arcs: [{head, dependent, deprel, crossing, fault}], fault
 * "right", "wrong-head", "wrong-label", "wrong-both" or "missed". label: what a screen reader says of it.
 */
function drawTree(line, arcs, label) {
  const levels = levelsOf(arcs, line.forms.length);
  const ports = portsOf(arcs, levels);
  const places = placesOf(line, arcs, ports);
  const mirror = line.rightToLeft ? (x) => places.width - x : (x) => x;
  const floor = MARGIN + LABEL_SIZE + LEVEL * Math.max(0, ...levels);
  const baseline = floor + SIZE + 3;
  const rows = line.below.length + (line.multiword.length ? 2 : 0);
  const height = baseline + 5 + ROW * rows + MARGIN;
  const drawing = svg("svg", {
    width: places.width, height, viewBox: `0 0 ${places.width} ${height}`, role: "img", "aria-label": label, class: "tree",
  });
  const labels = [];
  arcs.forEach((arc, number) => {
    const at = (node) => mirror(places.middles[node - 1] + ports[number][node]);
    const [start, end] = [at(arc.head || arc.dependent), at(arc.dependent)];
    const y = floor - LEVEL * levels[number];
    const kind = `${arc.fault}${arc.crossing ? " crossing" : ""}`;
    const ends = { "data-head": arc.head, "data-dependent": arc.dependent };
    drawing.append(svg("g", { class: `arc ${kind}`, ...ends },
      svg("path", { class: "line", d: pathOf(arc.head, start, end, y, floor) }),
      svg("path", { class: "tip", d: `M${end} ${floor}l-3.5 -7h7z` })));
    const half = widthOf(arc.deprel, LABEL_SIZE) / 2 + 2;
    const middle = (start + end) / 2;
    labels.push(svg("g", { class: `label ${kind}`, ...ends },
      svg("rect", { x: middle - half, y: y - 4 - LABEL_SIZE, width: 2 * half, height: LABEL_SIZE + 3 }),
      svg("text", { x: middle, y: y - 4 }, arc.deprel)));
  });
  drawing.append(...labels);
  line.forms.forEach((form, k) => {
    const x = mirror(places.middles[k]);
    const half = places.halves[k] + GAP / 2;
    drawing.append(svg("g", { class: "word", "data-word": k + 1 },
      svg("rect", { x: x - half, y: floor + 1, width: 2 * half, height: SIZE + 8 + ROW * line.below.length, rx: 3 }),
      svg("text", { x, y: baseline, class: "form" }, form),
      ...line.below.map((row, rank) => svg("text", { x, y: baseline + 2 + ROW * (rank + 1), class: "below" }, row[k]))));
  });
  line.empty.forEach((node, k) => {
    drawing.append(svg("g", { class: "word empty", "data-extra": node.extra },
      svg("text", { x: mirror(places.empty[k]), y: baseline, class: "form" }, node.form)));
  });
  for (const token of line.multiword) {
    const ends = [token.first, token.last].flatMap((word) =>
      [-1, 1].map((sign) => mirror(places.middles[word - 1] + sign * places.halves[word - 1])));
    const [left, right] = [Math.min(...ends), Math.max(...ends)];
    const y = baseline + ROW * line.below.length + 10;
    drawing.append(svg("g", { class: "word multiword", "data-extra": token.extra },
      svg("path", { d: `M${left} ${y - 4}v4H${right}v-4` }),
      svg("text", { x: (left + right) / 2, y: y + 14, class: "form" }, token.form)));
  }
  return drawing;
}

/** The line of an arc from one end to the other at height y; an arc from node 0 comes straight down. */
function pathOf(head, start, end, y, floor) {
  if (head === 0) return `M${end} ${y}V${floor - 4}`;
  const turn = end > start ? ROUND : -ROUND;
  return `M${start} ${floor}V${y + ROUND}Q${start} ${y} ${start + turn} ${y}` +
    `H${end - turn}Q${end} ${y} ${end} ${y + ROUND}V${floor - 4}`;
}
