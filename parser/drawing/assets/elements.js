// What all pages share.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** An HTML element with properties and children; strings among these become text, never markup. */
function html(name, properties = {}, ...children) {
  const node = document.createElement(name);
  Object.assign(node, properties);
  node.append(...children);
  return node;
}

/** Fill a choice with [value, text] pairs. */
function fillChoice(select, pairs) {
  select.replaceChildren(...pairs.map(([value, text]) => html("option", { value }, text)));
}

/** Whether a key pressed there is meant for the element itself, or for the browser. */
function typedInto(event) {
  return event.ctrlKey || event.metaKey || event.altKey ||
    event.target.matches("input:not([type=checkbox]):not([type=range]), select");
}

/** Say, once the page has been painted, that it is ready. */
function announceReady() {
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "true"; }));
}
