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
    event.target.matches("input:not([type=checkbox]):not([type=range]), select, textarea");
}

/** The part of an address that leads to what is shown, such as #sentence=12&step=4. */
const linkTo = (parameters) => `#${new URLSearchParams(parameters)}`;
const linked = (name) => new URLSearchParams(location.hash.slice(1)).get(name);

/** The place in a list of the sentence that the address gives, by its number in the file or by its name; else -1. */
function linkedPlace(sentences) {
  const wanted = linked("sentence");
  const place = sentences.findIndex(({ number }) => String(number) === wanted);
  return place < 0 ? sentences.findIndex(({ id }) => id === wanted) : place;
}

/** Make the address lead to what is shown; browsers limit how often that may be done. */
function remember(parameters) {
  clearTimeout(remember.later);
  remember.later = setTimeout(() => history.replaceState(null, "", linkTo(parameters)), 200);
}

/** Call the function of a pressed key with the event; one that returns false leaves the key to the browser. */
function listenToKeys(keys) {
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  document.addEventListener("keydown", (event) => {
    const field = document.activeElement;
    if (event.key === "Escape" && field.matches("input, select")) {
      event.preventDefault(); // which would clear a search field
      field.blur();
    }
    if (typedInto(event) || document.querySelector("dialog[open]")) return;
    if (event.key === "?") byId("help").showModal();
    else if (Object.hasOwn(keys, event.key) && keys[event.key](event) !== false) event.preventDefault();
  });
}

/** Say, once the page has been painted, that it is ready. */
function announceReady() {
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "true"; }));
}
