// Conditions on sentences: the language of parser/drawing/where.py, whose grammar is given there.

const TOKEN = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|[<>=+()-])/y;
const COMPARISONS = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};
const DEEPEST = 50;

/** The tokens of a condition, with "" after the last one. */
function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  for (let place = 0; place < end; place = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (!found) throw new Error(`found “${text.slice(place).trim()[0]}”, expected names, numbers, comparisons, + or -`);
    tokens.push(found[1]);
  }
  return [...tokens, ""];
}

/**
 * A function from a sentence's values (name to number) to a number, which is 0 where the condition does not hold.
 * Throws an Error that says what was found and what is allowed.
 */
function parseCondition(text, names) {
  const tokens = tokensOf(text);
  let next = 0;

  const fail = (expected) => {
    throw new Error(`found ${tokens[next] ? `“${tokens[next]}”` : "the end"}, expected ${expected}`);
  };
  const chain = (part, word, combine) => (depth) => {
    let result = part(depth);
    while (tokens[next] === word) {
      next += 1;
      result = combine(result, part(depth));
    }
    return result;
  };
  const value = (depth) => {
    const token = tokens[next];
    if (token === "(") {
      next += 1;
      const inner = condition(depth + 1);
      if (tokens[next] !== ")") fail("“)”");
      next += 1;
      return inner;
    }
    if (/^\d/.test(token)) {
      next += 1;
      return () => Number(token);
    }
    if (!/^\w/.test(token) || ["and", "or", "not"].includes(token)) fail("a name, a number or “(”");
    if (!names.includes(token)) throw new Error(`no name “${token}”; allowed: ${names.join(", ")}`);
    next += 1;
    return (values) => values[token];
  };
  const sum = (depth) => {
    let result = value(depth);
    while (tokens[next] === "+" || tokens[next] === "-") {
      const sign = tokens[next++] === "+" ? 1 : -1;
      const [left, right] = [result, value(depth)];
      result = (values) => Number(left(values)) + sign * Number(right(values));
    }
    return result;
  };
  const comparison = (depth) => {
    const left = sum(depth);
    if (!Object.hasOwn(COMPARISONS, tokens[next])) return left;
    const compare = COMPARISONS[tokens[next++]];
    const right = sum(depth);
    return (values) => compare(Number(left(values)), Number(right(values)));
  };
  const negation = (depth) => {
    if (depth > DEEPEST) throw new Error(`nested more than ${DEEPEST} deep`);
    if (tokens[next] !== "not") return comparison(depth);
    next += 1;
    const negated = negation(depth + 1);
    return (values) => !negated(values);
  };
  const conjunction = chain(negation, "and", (left, right) => (values) => Boolean(left(values)) && Boolean(right(values)));
  const condition = chain(conjunction, "or", (left, right) => (values) => Boolean(left(values)) || Boolean(right(values)));

  const result = condition(0);
  if (tokens[next]) fail("“and”, “or”, a comparison or the end");
  return (values) => Number(result(values));
}
