import { safeText } from "../../base/safe-text.ts";
import type { Strength } from "./outcome.ts";
import { hasSourceExtension } from "./paths.ts";
import { alone, everyday, hosts, keywords, subcommands, targetRunners, tools } from "./programs.ts";

/** How the text mentions a possible command; `asked` is "running `x y`". */
export type Mention = Strength | "asked";

const PROGRAM = /^[a-z0-9_./+@~-]+$/;
/** The path of a program may have any letters, and may start with a variable such as `$HOME`. */
const PROGRAM_PATH = /^(?:\$\{?[A-Z_]+\}?\/)?[A-Za-z0-9_./+@~-]+$/;
/** Folders that hold programs, in projects and in environments. */
const SCRIPT_FOLDER = /(?:^|\/)(?:bin|script|scripts|tools|hack|ci|\.ci|\.github)\//;
/** Words for checks that are given to a project's own program, as in `poe test`. */
const checkWords: ReadonlySet<string> = new Set(
  "test tests check lint build typecheck types verify ci fmt format unit e2e spec".split(" "),
);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;
const PLAIN = /^[A-Za-z0-9_./:@=,+%~-]+$/;
const operators: ReadonlySet<string> = new Set([
  "+",
  "-",
  "*",
  "/",
  "=",
  "==",
  "===",
  "!=",
  "=>",
  "->",
  "?",
  ":",
  ":=",
]);

/**
 * Whether code between backticks is meant to be run. The less the text says, the better known the program must be: an
 * identifier, a path or a piece of code must never reach a shell.
 */
export function isCommand(code: string, mention: Mention): boolean {
  const inner = findSubshell(code);
  if (inner !== undefined) return isCommand(inner, mention);
  const { program, rest } = splitCommand(code);
  if (!isRunnable(code, program, rest)) return false;
  if (mention === "explicit" || isKnownProgram(program, rest)) return true;
  if (mention === "weak") return isScriptPath(program);
  if (everyday.has(program) && rest.length > 0) return true;
  if (isScriptPath(program) || isSourced(program, rest)) return true;
  if (checkWords.has(rest[0] ?? "")) return true;
  return mention === "asked" ? rest.length > 0 : rest.some(isCommandArgument);
}

/** The command inside `( … )`. */
function findSubshell(code: string): string | undefined {
  const isWhole = code.startsWith("(") && code.endsWith(")") && code.includes(" ");
  return isWhole ? code.slice(1, -1).trim() : undefined;
}

/** Commands in plain prose: only plain words, and only a known program with a known subcommand. */
export function isProseCommand(words: readonly string[], strength: Strength): boolean {
  const [program = "", ...rest] = words;
  if (
    strength === "weak" ||
    !words.every((word) => PLAIN.test(word)) ||
    !isRunnable(words.join(" "), program, rest)
  )
    return false;
  if (tools.has(program)) return rest.length > 0 || alone.has(program);
  if (isSubcommand(program, rest) || (targetRunners.has(program) && isMakeTarget(rest))) return true;
  const isNamed = hosts.has(program) || everyday.has(program) || isScriptPath(program);
  return strength === "explicit" && isNamed && (rest.length > 0 || isScriptPath(program));
}

/** A command that would run if the text said that it passes; the reader gets a notice that it does not. */
export function isKnownCommand(code: string): boolean {
  const { program, rest } = splitCommand(code);
  return isRunnable(code, program, rest) && isKnownProgram(program, rest);
}

/** Whether a shell would get characters that a reader does not see. */
export function hasHiddenCharacters(code: string): boolean {
  return safeText(code) !== code;
}

interface Command {
  readonly program: string;
  readonly rest: readonly string[];
}

/** Skips a leading `!` and settings such as `CI=1`. */
function splitCommand(code: string): Command {
  const parts = code.split(" ").filter((part) => part !== "");
  const first = parts.findIndex((part) => part !== "!" && !ASSIGNMENT.test(part));
  return first === -1
    ? { program: "", rest: [] }
    : { program: parts[first] ?? "", rest: parts.slice(first + 1) };
}

function isRunnable(code: string, program: string, rest: readonly string[]): boolean {
  if (hasHiddenCharacters(code) || hasPlaceholder([program, ...rest])) return false;
  if (program === "[") return rest.at(-1) === "]";
  if (isSourced(program, rest)) return true;
  const pattern = program.includes("/") ? PROGRAM_PATH : PROGRAM;
  if (!pattern.test(program)) return false;
  if (keywords.has(program) || !/[a-z0-9]/.test(program)) return false;
  if (program.startsWith("-") || (program.startsWith(".") && !program.includes("/"))) return false;
  if (rest.length === 0) return isLoneProgram(program);
  return !operators.has(rest[0] ?? "");
}

/** A single word is a program only if it does not look like a file, a field or a number. */
function isLoneProgram(program: string): boolean {
  if (hasSourceExtension(program) || /^[0-9]/.test(program) || program.endsWith("/")) return false;
  return program.includes("/") || !program.includes(".") || isScriptPath(program);
}

function isKnownProgram(program: string, rest: readonly string[]): boolean {
  if (rest.length === 0) return alone.has(program);
  if (tools.has(program) || hosts.has(program) || isSubcommand(program, rest)) return true;
  if (targetRunners.has(program)) return isMakeTarget(rest);
  if (program === "cd") return rest.includes("&&");
  return (
    (program === "node" || program === "diff" || program === "test" || program === "[") &&
    rest.some(isCommandArgument)
  );
}

function isSubcommand(program: string, rest: readonly string[]): boolean {
  return subcommands.get(program)?.has(rest[0] ?? "") === true;
}

function isMakeTarget(rest: readonly string[]): boolean {
  const [target = ""] = rest;
  return /^-?[a-z0-9_./:-]+$/.test(target) && !["sure", "it", "the", "a", "an", "up", "use"].includes(target);
}

/** Options, paths and shell operators, which prose between backticks does not have. */
function isCommandArgument(word: string): boolean {
  return word.startsWith("-") || word.includes("/") || hasSourceExtension(word) || word === "&&";
}

function isScriptPath(program: string): boolean {
  if (program.endsWith(".sh") || program.endsWith(".bash")) return true;
  if (hasSourceExtension(program) || program.endsWith("/")) return false;
  return program.startsWith("./") || SCRIPT_FOLDER.test(program);
}

/** `. .venv/bin/activate && pytest` */
function isSourced(program: string, rest: readonly string[]): boolean {
  return (program === "." || program === "source") && rest.length > 2 && /^(?:&&|;)$/.test(rest[1] ?? "");
}

/** `<name>`, `{name}` alone or `...`, which the reader has to replace. */
function hasPlaceholder(parts: readonly string[]): boolean {
  return parts.some(
    (part) => part === "..." || part.includes("…") || /^(?:<[^<>]*>|\{[^{}]*\}|\[[^[\]]+\])$/.test(part),
  );
}
