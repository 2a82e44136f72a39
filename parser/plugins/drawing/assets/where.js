// Conditions on sentences, with the values that they have in parser/plugins/drawing/where.py.

const TOKEN = /[0-9]+(?:\.[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*|[<>=!]=|[^ \t\r\n]/gu;
const COMPARISON = 4;
const STRENGTHS = {
  "": 0, "(": 0, ")": 0, or: 1, and: 2, not: 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "=": 4, "==": 4, "!=": 4, "+": 5, "-": 5,
};

const OPERATIONS = {
  not: (_, b) => !b,
  or: (a, b) => a || b,
  and: (a, b) => a && b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
};

/**
 * A function from a sentence's values (name to number) to a number, which is 0 where the condition does not hold.
 * Throws an Error that says what was found and what is expected.
 */
function parseCondition(text, names) {
  const listed = /(?<![-+<>=]\s*|\w)([A-Za-z_]\w*)\s*(==?|!=)\s*(\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)+)(?![\w.]|\s*[-+<>=!])/g;
  const joined = text.replace(listed, (_, name, sign, numbers) => // commas separate alternatives
    `(${numbers.split(",").map((number) => `${name} ${sign} ${number}`).join(sign === "!=" ? " and " : " or ")})`);
  const program = []; // in postfix order
  const waiting = [""]; // operators and parentheses whose right side is not complete
  const fail = (token, expected) => { throw new Error(`found ${token ? `“${token}”` : "the end"}, expected ${expected}`); };
  let valueComes = true;
  for (const token of [...(joined.match(TOKEN) ?? []), ""]) {
    const strength = STRENGTHS[token] ?? 0;
    if (valueComes) {
      if (token === "(") waiting.push(token);
      else if (token === "not" && STRENGTHS[waiting.at(-1)] <= strength) {
        waiting.push(token);
        program.push(0); // a left side, which it ignores
      } else if (names.includes(token) || /^[0-9]/.test(token)) {
        program.push(token);
        valueComes = false;
      } else if (/^\w/.test(token) && !strength) throw new Error(`no name “${token}”; allowed: ${names.join(", ")}`);
      else fail(token, "a name, a number or “(”");
      continue;
    }
    while (STRENGTHS[waiting.at(-1)] > Math.max(0, strength === COMPARISON ? strength : strength - 1)) program.push(waiting.pop());
    if (Object.hasOwn(OPERATIONS, token) && token !== "not" && STRENGTHS[waiting.at(-1)] < strength) {
      waiting.push(token);
      valueComes = true;
    } else if (waiting.at(-1) === { ")": "(", "": "" }[token]) waiting.pop();
    else {
      const closed = waiting.includes("(") ? "“)”" : "the end";
      fail(token, strength === COMPARISON ? `“and”, “or” or ${closed}` : `an operator or ${closed}`);
    }
  }
  return (values) => {
    const stack = [];
    for (const item of program) {
      const right = Object.hasOwn(OPERATIONS, item) ? stack.pop() : 0;
      stack.push(Number(Object.hasOwn(OPERATIONS, item) ? OPERATIONS[item](stack.pop(), right) : values[item] ?? item));
    }
    return stack[0];
  };
}
