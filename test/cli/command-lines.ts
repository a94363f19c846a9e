import { CommanderError } from "commander";
import { createProgram } from "../../src/cli/create-program.ts";

export interface WrittenCommand {
  readonly line: string;
  /** Inside a sentence a command may be named without its arguments. */
  readonly isNamed: boolean;
}

/** Why a command line of a text cannot be typed as it stands; undefined when it can. Nothing is run. */
export async function problemWith(line: string, isNamed = false): Promise<string | undefined> {
  const [program, ...words] = splitWords(line);
  if (program !== "ambit") return `it does not begin with ambit: ${line}`;
  let isReached = words.length === 0;
  const parser = createProgram({
    version: "1.2.3",
    act: () => () => {
      isReached = true;
      return Promise.resolve();
    },
    writeHelp: () => undefined,
  });
  try {
    await parser.parseAsync(words, { from: "user" });
    return isReached ? undefined : `nothing would happen: ${line}`;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (isNamed && ["commander.missingArgument", "commander.help"].includes(error.code)) return undefined;
    const isHelp = ["commander.helpDisplayed", "commander.version", "commander.help"].includes(error.code);
    return isHelp && (words.length === 0 || words.some((word) => /^-(?:h|V|-help|-version)$/.test(word)))
      ? undefined
      : `${error.message} (${line})`;
  }
}

/** Every `ambit …` of a Markdown text: lines of code blocks, and code inside a line. */
export function commandLinesOf(markdown: string): readonly WrittenCommand[] {
  const lines: WrittenCommand[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    else if (isCode) lines.push({ line: line.replace(/^\s*\$ /, ""), isNamed: false });
    else lines.push(...inlineCode(line).map((code) => ({ line: code, isNamed: true })));
  }
  return lines
    .map(({ line, isNamed }) => ({ line: line.trim().replace(/\s+#.*$/, ""), isNamed }))
    .filter(({ line }) => /^ambit(?: |$)/.test(line));
}

function inlineCode(line: string): readonly string[] {
  const found: string[] = [];
  for (let at = line.indexOf("`"); at >= 0;) {
    const fence = /^`+/.exec(line.slice(at))?.[0] ?? "`";
    const end = line.indexOf(fence, at + fence.length);
    if (end < 0) return found;
    found.push(line.slice(at + fence.length, end));
    at = line.indexOf("`", end + fence.length);
  }
  return found;
}

/** Words as a shell would split them. Words after a pipe or a redirection do not belong to the command. */
function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  const pattern = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g;
  for (const [, double, single, plain] of line.matchAll(pattern)) {
    if (plain !== undefined && ["|", ">", "<", "&&", ";"].includes(plain)) break;
    words.push(double ?? single ?? plain ?? "");
  }
  return words;
}
