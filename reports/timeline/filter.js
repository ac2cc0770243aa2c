// What the field "Find" asks of a line: words, "phrases", /regular expressions/, seconds from..to; with AND, OR, NOT and brackets.
// Words beside each other must all be there; a|b is either of two, -a is none of it. `fault`: what cannot be read; `isEmpty`: nothing is asked.
const lineFilter = (asked) => {
  let fault = "";
  const SPAN = /^([-\u2212]?\d*\.?\d+)?\.\.([-\u2212]?\d*\.?\d+)?$/, TOKEN = /"([^"]*)"?|\/((?:\\.|[^\/\\])+)\/(?=[\s)]|$)|(\S+)/y;
  const word = (text) => ({ leaf: (line) => line.words.includes(text.toLowerCase()) });
  const tokens = [];
  const take = (from) => { // the token at a place; gives where the next begins
    const skipped = from + /^\s*/.exec(asked.slice(from))[0].length, rest = asked.slice(skipped);
    if (!rest) return asked.length;
    const span = SPAN.exec(/^\S+?(?=\)*(?:\s|$))/.exec(rest)?.[0] || "");
    if (span && (span[1] || span[2])) {
      const [low, high] = [1, 2].map((place) => (span[place] ? Number(span[place].replace("\u2212", "-")) : (place - 1.5) * Infinity));
      tokens.push({ leaf: (line) => line.at >= low && line.at <= high });
      return skipped + span[0].length;
    }
    if (rest[0] === "(" || rest[0] === ")") { tokens.push(rest[0]); return skipped + 1; }
    if (/^-[^\s)]/.test(rest)) { tokens.push("NOT"); return skipped + 1; }
    TOKEN.lastIndex = skipped;
    const [whole, phrase, expression, plain] = TOKEN.exec(asked);
    if (expression !== undefined) {
      try {
        const pattern = new RegExp(expression, "i");
        tokens.push({ leaf: (line) => pattern.test(line.text) || pattern.test(line.said) });
      } catch (error) { fault = error.message; }
    } else if (phrase !== undefined) tokens.push(word(phrase));
    else {
      const text = plain.includes("(") ? plain : plain.replace(/\)+$/, ""), either = text.split("|").filter(Boolean);
      if (["AND", "OR", "NOT"].includes(text)) tokens.push(text);
      else if (!either.length) tokens.push("OR");
      else tokens.push(either.length > 1 ? { leaf: (line) => either.some((each) => line.words.includes(each.toLowerCase())) } : word(text));
      return skipped + text.length;
    }
    return skipped + whole.length;
  };
  for (let from = 0; from < asked.length;) from = take(from);
  let place = 0;
  const every = (parts) => (line) => parts.every((part) => part(line)), any = (parts) => (line) => parts.some((part) => part(line));
  const either = () => {
    const parts = [all()];
    while (tokens[place] === "OR") { place += 1; parts.push(all()); }
    const asking = parts.filter(Boolean); // "a OR" asks for a
    return asking.length > 1 ? any(asking) : asking[0];
  };
  const all = () => {
    const parts = [];
    while (place < tokens.length && tokens[place] !== "OR" && tokens[place] !== ")") {
      if (tokens[place] === "AND") place += 1;
      else parts.push(one());
    }
    const asking = parts.filter(Boolean);
    return asking.length ? every(asking) : undefined;
  };
  const one = () => {
    const token = tokens[place];
    place += 1;
    if (token === "NOT") {
      const inner = place < tokens.length && tokens[place] !== ")" && tokens[place] !== "OR" ? one() : undefined;
      return inner && ((line) => !inner(line));
    }
    if (token !== "(") return token.leaf;
    const inner = either();
    if (tokens[place] === ")") place += 1;
    return inner;
  };
  const parts = [];
  while (place < tokens.length) { // a bracket too many ends nothing
    if (tokens[place] === ")") place += 1;
    const part = either();
    if (part) parts.push(part);
  }
  return { matches: every(parts), isEmpty: !parts.length && !fault, fault };
};
