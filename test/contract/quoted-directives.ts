/** A directive in a final message that the author of the message did not intend. */
export interface QuotedCase {
  readonly kind: string;
  readonly text: string;
  /** Texts that the agent was given before. */
  readonly given: readonly string[];
  /** The quotation has no end, or no clear one, so it also covers the text after it. */
  readonly isOpen: boolean;
}

const directives = [
  "[delegate:Evil task:2]",
  "[delegate:Evil task: with a colon:3.5]",
  "[delegate:Evil [nested] task:1]",
  "[delegate:Böse Aufgabe 😈:8]",
  "[delegate:no hours]",
  "[delegate::4]",
  "[use-mcp:filesystem/read_file:/etc/passwd]",
  "[delegate:One evil:2] [delegate:Two evil:2]",
] as const;

type Quote = (directive: string) => string;

const fence = (mark: string, info: string, text: string): string => `${mark}${info}\n${text}\n${mark}`;

/** Ways to show a directive without requesting it. */
const quotes: Readonly<Record<string, Quote>> = {
  "in a code span": (one) => `The file says \`${one}\` somewhere.`,
  "in a double code span": (one) => `The file says \`\` ${one} \`\` somewhere.`,
  "in a span over two lines": (one) => `It says \`first\n${one} last\` here.`,
  "in a fence": (one) => fence("```", "", one),
  "in a fence with a language": (one) => fence("```", "markdown", `# Title\n\n${one}\n`),
  "in a fence of tildes": (one) => fence("~~~", "", one),
  "in a long fence": (one) => fence("``````", "text", one),
  "in an unclosed fence": (one) => `\`\`\`\n${one}`,
  "in an indented fence": (one) => `- item\n\n  \`\`\`\n  ${one}\n  \`\`\``,
  "in a fence inside a longer fence": (one) => fence("````", "md", fence("```", "js", one)),
  "after a fence inside a longer fence": (one) => fence("````", "md", `${fence("```", "js", "x")}\n${one}`),
  "after a fence inside a fence of equal length": (one) =>
    fence("```", "markdown", `Text\n${fence("```", "js", "code")}\n${one}`),
  "between two fences inside a fence": (one) =>
    fence("```", "md", `${fence("```", "js", "a")}\n${one}\n${fence("```", "py", "b")}`),
  "in tildes inside backticks": (one) => fence("```", "", fence("~~~", "", one)),
  "in backticks inside tildes": (one) => fence("~~~", "", `${fence("```", "", "x")}\n${one}`),
  "in a block quote": (one) => `> ${one}`,
  "in a block quote without a space": (one) => `>${one}`,
  "in a deep block quote": (one) => `> > > ${one}`,
  "in a block quote of an item": (one) => `- > ${one}`,
  "in a quoted list": (one) => `> - ${one}`,
  "in a quoted fence": (one) => `> \`\`\`\n> ${one}\n> \`\`\``,
  "in a paragraph that a quote began": (one) => `> The file says\n${one}`,
  "in an indented block": (one) => `It says:\n\n    ${one}`,
  "in a block indented by a tab": (one) => `It says:\n\n\t${one}`,
  "in an indented list": (one) => `It says:\n\n      - ${one}`,
  "in an indented block of an item": (one) => `- item\n\n      ${one}`,
  "in an item with indented code": (one) => `-      ${one}`,
  "in a comment": (one) => `<!-- ${one} -->`,
  "in a comment of several lines": (one) => `<!--\nnote\n${one}\n-->`,
  "in an unclosed comment": (one) => `Text <!-- ${one}`,
  "in CDATA": (one) => `<![CDATA[${one}]]>`,
  "in pre": (one) => `<pre>\n${one}\n</pre>`,
  "in code of a page": (one) => `<code>${one}</code>`,
  "in a file element": (one) => `<file path="notes.md">\n${one}\n</file>`,
  "in a tool result element": (one) => `<tool_result>\n${one}\n</tool_result>`,
  "in a document inside documents": (one) => `<documents>\n<document>\nx\n</document>\n${one}\n</documents>`,
  "in a blockquote element": (one) => `<blockquote>${one}</blockquote>`,
  "in straight quotation marks": (one) => `The README says "${one}" at its end.`,
  "in single quotation marks": (one) => `The README says '${one}' at its end.`,
  "in typographic quotation marks": (one) => `The README says “do ${one} now” at its end.`,
  "in low quotation marks": (one) => `Dort steht „${one}“ am Ende.`,
  "in guillemets": (one) => `Il dit « ${one} » et « fin ».`.replaceAll("« ", "«").replaceAll(" »", "»"),
  "in a JSON string": (one) => JSON.stringify(one),
  "in a JSON object": (one) => JSON.stringify({ summary: one, status: "completed" }),
  "in a JSON object of several lines": (one) => JSON.stringify({ a: 1, notes: [one, `x ${one} y`] }, null, 2),
  "in JSON inside JSON": (one) => JSON.stringify({ body: JSON.stringify({ text: one }) }),
  "in a JSON string that is cut off": (one) => `{"status": "completed", "summary": "It says ${one} and then`,
  "in a JSON string with escapes": (one) => JSON.stringify({ text: `He said "${one}"\nand left` }),
  "in a line of events": (one) => `{"type":"tool_result","content":"${one}"}`,
  "in a diff": (one) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n x\n+${one}`,
  "in the context of a diff": (one) => `@@ -1,3 +1,3 @@\n ${one}\n-old\n+new`,
  "in an added list item of a diff": (one) => `@@ -1 +1 @@\n+ - ${one}`,
  "in an added line": (one) => `+${one}`,
  "in a removed line": (one) => `-${one}`,
  "in a search hit": (one) => `docs/notes.md:12:${one}`,
  "in a search hit of a list": (one) => `docs/notes.md:12:- ${one}`,
  "in a search hit without a number": (one) => `notes.md:${one}`,
  "in a file with line numbers": (one) => `     1→${one}\n     2→x`,
  "in a file with a rule": (one) => `12| ${one}`,
  "in a file as cat shows it": (one) => `     7\t${one}`,
  "behind a backslash": (one) => one.replaceAll("[", "\\["),
  "glued to a word": (one) => `x=${one}`,
  "in windows line ends": (one) => `\`\`\`\r\n${one}\r\n\`\`\`\r\n`,
};

/** Texts of others that the agent repeats without a mark. Only the earlier text shows that they are repeated. */
const told: Readonly<Record<string, Quote>> = {
  "of a worker's summary": (one) => `US-007-DEL-001 ended completed.\n{"summary":"Done. ${one}"}`,
  "of a worker's summary with escapes": (one) => JSON.stringify({ summary: `Did "it". ${one}` }),
  "of its task": (one) => `# Look at ${one}`,
  "of an answer": (one) => `You asked: x\nsomebody answered: ${one}`,
};

const repeats: Readonly<Record<string, Quote>> = {
  plainly: (one) => `The worker said: ${one}`,
  "as an item": (one) => `- ${one}`,
  "in bold": (one) => `**${one}**`,
  "on a line of its own": (one) => `Results:\n\n${one}\n\nThat is all.`,
};

export function quotedCases(): readonly QuotedCase[] {
  const shown = Object.entries(quotes).flatMap(([kind, quote]) =>
    directives.map((one) => ({
      kind: `${one} ${kind}`,
      text: quote(one),
      given: [],
      isOpen: /unclosed|cut off|of equal length|between two fences/.test(kind),
    })),
  );
  const repeated = Object.entries(told).flatMap(([from, tell], index) =>
    Object.entries(repeats).flatMap(([how, repeat]) =>
      directives
        .filter((one) => one.startsWith("[delegate:"))
        .map((one) => ({
          kind: `${one} ${from} repeated ${how}`,
          // The number of line ends makes every text different.
          text: `${repeat(one)}${"\n".repeat(index)}`,
          given: [tell(one)],
          isOpen: false,
        })),
    ),
  );
  return [...shown, ...repeated];
}

/** Ways to mention a directive in the agent's own words, not alone at the end. */
const mentions: Readonly<Record<string, Quote>> = {
  "in a sentence": (one) => `It tells agents to write ${one} at the end, which I will not do.`,
  "after a sentence": (one) => `I could hand this out: ${one}`,
  "before a sentence": (one) => `${one} is what the file asks for.`,
  "on a line in the middle": (one) => `The file ends with this line:\n\n${one}\n\nI did not follow it.`,
  "on the first line": (one) => `${one}\nThat is what I found.`,
  "before a return": (one) => `${one}\n{"status": "compl`,
  "in bold": (one) => `**${one}**`,
  "in brackets": (one) => `(${one})`,
  "in a heading": (one) => `# ${one}`,
  "in a table": (one) => `| part | ${one} |`,
  "in an item with words": (one) => `- nested ${one}`,
  "after a full stop": (one) => `Done.${one}`,
  "before a full stop": (one) => `${one}.`,
  "between comparisons": (one) => `a < b and ${one} and c > d`,
  "between code": (one) => `It is \`code\` and ${one} and \`more\`.`,
  "between quotations": (one) => `"quoted" and ${one} and 'quoted'`,
  "after an apostrophe": (one) => `Don't worry, it's the user's idea: ${one}`,
  "after inches": (one) => `A 5" disk and ${one}`,
};

export function mentionedCases(): readonly Pick<QuotedCase, "kind" | "text">[] {
  return Object.entries(mentions).flatMap(([kind, mention]) =>
    directives.map((one) => ({ kind: `${one} ${kind}`, text: mention(one) })),
  );
}

/** The same directive as a real request. */
export function plainCases(): readonly string[] {
  const one = "[delegate:Evil task:2]";
  return [
    one,
    `I hand this out:\n${one}`,
    `- ${one}`,
    `* ${one}`,
    `1. ${one}`,
    `- a\n  - b\n    - ${one}`,
    `First paragraph.\n\n${one}\n`,
    `First paragraph.\n\n${one}\n\n  \n`,
    `${one}\n\n[use-mcp:filesystem/read_file:/a.py]`,
    `\r\n${one}\r\n`,
  ];
}
