// The page of derivations: a panel for each, with the configuration, what was chosen, and over what.

const shown = { sentence: 0, panels: [], current: 0 };

/** The tree after so many transitions: heads (-1: none) and deprels, n + 1 of each. */
function treeAfter(derivation, count) {
  const heads = [...derivation.start.heads];
  const deprels = [...derivation.start.deprels];
  for (const step of derivation.steps.slice(0, count)) {
    for (const [word, head, deprel] of step.arcs ?? []) {
      heads[word] = head;
      deprels[word] = deprel;
    }
  }
  return { heads, deprels };
}

/** The arcs of the configuration after so many transitions for drawTree, and those of the gold tree still to come. */
function arcsAfter(derivation, count) {
  const tree = treeAfter(derivation, count);
  tree.crossing = crossingWords(tree.heads);
  const gold = derivation.gold && { ...derivation.gold, crossing: crossingWords(derivation.gold.heads) };
  const added = new Set((derivation.steps[count - 1]?.arcs ?? []).map(([word]) => word));
  // what the first of three steps builds are anchors, which the passes are still going to replace
  const anchored = count < derivation.steps.length && derivation.steps.at(-1).system.startsWith("three-step");
  return arcsOf(tree, gold, Boolean(gold)).map((arc) => {
    if (arc.fault === "missed") return arc;
    return { ...arc, fault: `${anchored ? "right" : arc.fault}${added.has(arc.dependent) ? " new" : ""}` };
  });
}

/** The valencies that wait in θ, each at its word: an arrow to the left or right with its label. */
function valencies(derivation, configuration, system) {
  const arrow = system === "three-step-left" ? "↙" : "↘";
  const at = new Map((configuration.waiting ?? []).map(([node, label]) => [node, `${arrow}${label}`]));
  return derivation.forms.map((_, k) => at.get(k + 1) ?? "");
}

/** A list of nodes as boxes behind its name. */
function boxes(derivation, name, nodes, className, moved = []) {
  const form = (node) => (node ? derivation.forms[node - 1] : "ROOT");
  const list = html("ol", { className: `nodes ${className}`, tabIndex: 0 }, ...nodes.map((node) => html("li",
    { className: moved.includes(node) ? "moved" : "" }, form(node), html("sub", {}, String(node)))));
  list.setAttribute("aria-label", name);
  return html("div", { className: "row" }, html("span", { className: "name" }, name), list);
}

/** The stack, the further list that some systems have, the buffer, and θ. */
function lists(derivation, configuration) {
  const { stack, buffer, aside = [], waiting, moved } = configuration;
  const [first, second] = derivation.names;
  const rows = [boxes(derivation, first, stack, "stack"), boxes(derivation, "buffer", buffer, "buffer", moved)];
  if (second) rows.splice(1, 0, boxes(derivation, second, aside, "aside"));
  if (derivation.steps.some((step) => step.waiting)) {
    rows.push(html("div", { className: "row" }, html("span", { className: "name" }, "θ"),
      html("ol", { className: "nodes waiting" }, ...(waiting ?? []).map(([node, label]) =>
        html("li", {}, `${label} `, derivation.forms[node - 1], html("sub", {}, String(node)))))));
  }
  return rows;
}

/** What a step was chosen over, with scores, costs and the oracle's choice, as a table. */
function choices(step) {
  const options = step.options ?? [];
  const columns = [
    ["transition", ({ transition }) => transition],
    ["score", ({ score }) => score?.toFixed(3)],
    ["confidence", ({ confidence }) => confidence?.toFixed(2)],
    ["costs", ({ cost }) => cost],
  ].filter(([, value]) => options.some((option) => value(option) !== undefined));
  if (!columns.length) return [];
  const marks = (option) => [option.transition === step.transition ? "taken" : "", option.transition === step.oracle ? "oracle" : ""]
    .filter(Boolean).join(", ");
  const head = html("tr", {}, ...[...columns.map(([name]) => name), ""].map((name) => html("th", { scope: "col" }, name)));
  const rows = options.map((option) => html("tr", { className: option.transition === step.transition ? "taken" : "" },
    ...columns.map(([, value]) => html("td", {}, String(value(option) ?? ""))), html("td", {}, marks(option))));
  return [html("table", {}, html("thead", {}, head), html("tbody", {}, ...rows))];
}

/** Features with their weights, or nearest instances with their distances. */
function reasons(step) {
  const list = (heading, pairs, sign) => (pairs ? [html("h3", {}, heading), html("ul", { className: "reasons" },
    ...pairs.map(([amount, what]) => html("li", {}, html("b", {}, `${sign && amount > 0 ? "+" : ""}${amount.toFixed(3)}`), ` ${what}`)))] : []);
  return [...list("for it, against the next one", step.reasons, true), ...list("nearest instances, by distance", step.neighbours, false)];
}

/** What is to be said of an answer in the quiz. */
function answered(step, { transition, cost }) {
  const same = transition === step.transition;
  if (cost === undefined) return same ? "Right." : `This derivation takes ${step.transition}.`;
  if (!cost) return same ? "Right: no gold arc is lost." : `Right, too: no gold arc is lost. This derivation takes ${step.transition}.`;
  return `This puts ${cost} gold ${cost === 1 ? "arc" : "arcs"} out of reach. Try again.`;
}

/** A question instead of the next transition: a button for each permissible one, and what is to be said of it. */
function question(step, goOn) {
  const said = html("p", { className: "verdict" });
  said.setAttribute("role", "status");
  const options = step.options ?? [{ transition: step.transition }];
  const buttons = [...options].sort((a, b) => (a.transition < b.transition ? -1 : 1)).map((option) => {
    const button = html("button", { type: "button", className: "answer", onclick: () => {
      const right = option.cost === undefined ? option.transition === step.transition : !option.cost;
      button.classList.add(right ? "right" : "wrong");
      said.replaceChildren(answered(step, option), ...(right ? [" ", html("button", { type: "button", className: "go-on", onclick: goOn }, "Go on")] : []));
      said.querySelector("button")?.focus();
    } }, option.transition);
    return button;
  });
  return [html("p", { className: "next" }, "Which transition is next?"), html("p", { className: "answers" }, ...buttons), said];
}

/** What is to be said of the transition that leads on from a configuration. */
function verdict(derivation, number) {
  const step = derivation.steps[number];
  const remarks = [];
  if (step.default && step.transition !== data.finish) remarks.push("by default: nothing that was predicted was permissible");
  if (step.cost) remarks.push(`puts ${step.cost} gold ${step.cost === 1 ? "arc" : "arcs"} out of reach`);
  if (number === derivation.error) remarks.push("the first error");
  if (step.oracle && step.oracle !== step.transition && step.cost !== 0) remarks.push(`the oracle takes ${step.oracle}`);
  return remarks.join("; ");
}

/** Scroll a drawing so that the new arcs and the words that come next are seen, or as many of them as there is room for. */
function follow(figure, added, words) {
  const frame = figure.getBoundingClientRect();
  const spans = [[...added, ...words], added, words, words.slice(-1)].filter(({ length }) => length).map((nodes) => {
    const boxes = nodes.map((node) => node.getBoundingClientRect());
    return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
  });
  const [left, right] = spans.find(([from, to]) => to - from <= frame.width) ?? spans.at(-1) ?? [frame.left, frame.right];
  if (left < frame.left || right > frame.right) figure.scrollLeft += (left + right - frame.left - frame.right) / 2;
}

class Panel {
  /** A derivation with its slider; count is how many transitions have been taken. */
  constructor(derivation, place) {
    this.derivation = derivation;
    this.count = 0;
    this.slider = html("input", { type: "range", min: 0, max: derivation.steps.length, value: 0 });
    this.slider.setAttribute("aria-label", `Step of ${derivation.name}`);
    this.slider.addEventListener("input", () => step(place, Number(this.slider.value) - this.count));
    const button = (text, label, by) => {
      const made = html("button", { type: "button", title: label, onclick: () => step(place, by()) }, text);
      made.setAttribute("aria-label", label);
      return made;
    };
    this.counter = html("output", {});
    this.body = html("div", {});
    this.moves = html("ol", { className: "moves" }, ...derivation.steps.map(({ transition }, number) => {
      const made = html("button", { type: "button", onclick: () => step(place, number + 1 - this.count) }, transition);
      if (number === derivation.error) made.classList.add("error");
      return html("li", {}, made);
    }));
    this.node = html("section", { className: "panel" },
      html("h2", {}, derivation.name),
      html("div", { className: "controls" },
        button("|◀", "first configuration", () => -this.count), button("◀", "one back", () => -1), this.slider,
        button("▶", "one on", () => 1), button("▶|", "last configuration", () => derivation.steps.length - this.count), this.counter,
        ...(derivation.error === undefined ? [] : [button("first error", "to the first error", () => derivation.error - this.count)])),
      this.body, html("details", {}, html("summary", {}, "all transitions"), this.moves));
    this.node.setAttribute("aria-label", derivation.name);
    this.draw();
  }

  move(by) {
    this.count = Math.min(Math.max(this.count + by, 0), this.derivation.steps.length);
    this.draw();
  }

  draw() {
    const { derivation, count } = this;
    const { steps, forms } = derivation;
    const next = steps[count];
    const configuration = next ?? derivation.end;
    const system = (next ?? steps.at(-1))?.system ?? "";
    const rows = derivation.order ? [derivation.order.map(String)] : [];
    if (steps.some(({ waiting }) => waiting)) rows.push(valencies(derivation, configuration, system));
    const line = { forms, empty: [], multiword: [], rightToLeft: Boolean(derivation.rightToLeft), below: rows };
    this.slider.value = count;
    this.slider.setAttribute("aria-valuetext", `${count} of ${steps.length}`);
    this.counter.textContent = `${count} / ${steps.length}`;
    const figure = html("figure", { tabIndex: 0, dir: line.rightToLeft ? "rtl" : "ltr" },
      drawTree(line, arcsAfter(derivation, count), `Arcs after ${count} transitions`));
    figure.setAttribute("aria-label", "Arcs so far");
    const scroll = this.body.querySelector("figure")?.scrollLeft ?? 0;
    const words = [configuration.stack.at(-1), configuration.buffer[0]].filter(Boolean)
      .map((node) => figure.querySelector(`[data-word="${node}"]`));
    this.body.replaceChildren(
      html("p", { className: "system" }, count ? `after ${steps[count - 1].transition}` : "initial configuration",
        html("span", {}, system)),
      figure, ...lists(derivation, configuration),
      ...(derivation.order ? [html("p", { className: "figures" }, "under the words: their places in the projective order")] : []),
      ...(next && byId("quiz").checked ? question(next, () => step(shown.panels.indexOf(this), 1)) : next ? [
        html("p", { className: "next" }, "next: ", html("strong", {}, next.transition)),
        html("p", { className: "verdict" }, verdict(derivation, count)), ...choices(next), ...reasons(next),
      ] : [html("p", { className: "next" }, "terminal configuration")]));
    figure.scrollLeft = scroll;
    follow(figure, [...figure.querySelectorAll(".new")], words);
    for (const stack of this.body.querySelectorAll(".stack")) stack.scrollLeft = stack.scrollWidth;
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.moves.children[count - 1]?.firstChild.setAttribute("aria-current", "step");
  }
}

/** Take transitions on or back in one panel, or in all where they step together. */
function step(place, by) {
  const panels = byId("together").checked ? shown.panels : [shown.panels[place]];
  for (const panel of panels) panel.move(by);
  rememberStep();
}

/** Make the address lead to the sentence and to the step of each panel. */
function rememberStep() {
  const step = shown.panels.map(({ count }) => count).join("-");
  remember({ sentence: data.sentences[shown.sentence]?.number ?? "", step });
}

/** Show the sentence and the steps that the address names: the first ones if it names none. */
function openLink() {
  const steps = (linked("step") ?? "").split("-").map((text) => Number.parseInt(text, 10) || 0);
  show(linkedPlace(data.sentences));
  shown.panels.forEach((panel, place) => panel.move(steps[place] ?? steps[0]));
}

function show(number) {
  shown.sentence = Math.min(Math.max(number, 0), data.sentences.length - 1);
  shown.current = 0;
  byId("sentence").value = String(shown.sentence);
  const sentence = data.sentences[shown.sentence];
  shown.panels = (sentence?.derivations ?? []).map((derivation, place) => new Panel(derivation, place));
  byId("panels").replaceChildren(...shown.panels.map(({ node }) => node));
  byId("panels").classList.toggle("several", shown.panels.length > 1);
  rememberStep();
}

/** To the first error of all panels that step together, or of the current one. */
function toError() {
  const errors = shown.panels.map(({ derivation }) => derivation.error);
  const asked = byId("together").checked ? errors.filter((error) => error !== undefined) : [errors[shown.current]];
  const error = Math.min(...asked);
  if (Number.isFinite(error)) step(shown.current, error - shown.panels[shown.current].count);
}

const most = () => Math.max(...shown.panels.map(({ derivation }) => derivation.steps.length));
const KEYS = {
  ArrowRight: () => step(shown.current, 1),
  ArrowLeft: () => step(shown.current, -1),
  Home: () => step(shown.current, -most()),
  End: () => step(shown.current, most()),
  e: toError,
  q: () => byId("quiz").click(),
  j: () => show(shown.sentence + 1),
  k: () => show(shown.sentence - 1),
  1: () => { shown.current = 0; },
  2: () => { shown.current = Math.min(1, shown.panels.length - 1); },
};

fillChoice(byId("sentence"), data.sentences.map(({ id, derivations }, number) =>
  [String(number), `${id}  ${(derivations[0]?.forms ?? []).slice(0, 6).join(" ")}`]));
byId("sentence").addEventListener("change", () => show(Number(byId("sentence").value)));
listenToKeys(KEYS);
byId("quiz").addEventListener("change", () => {
  document.body.classList.toggle("quiz", byId("quiz").checked);
  for (const panel of shown.panels) panel.draw();
});
for (const node of document.querySelectorAll("label:has(#together)")) node.hidden = data.sentences.every(({ derivations }) => derivations.length < 2);
addEventListener("hashchange", openLink);
openLink();
announceReady();
