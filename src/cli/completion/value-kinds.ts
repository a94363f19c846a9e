import type { CompletionKind } from "../../app/completion-values.ts";

/** The kind of value that an argument or an option takes. */
export type ValueKind =
  | CompletionKind
  | "help topics"
  | "shells"
  | "isolations"
  | "files"
  | "folders"
  | "free";

/** By command and argument, where the argument's name alone is ambiguous. */
const ofCommand: ReadonlyMap<string, ValueKind> = new Map([
  ["run story", "files"],
  ["quick story", "free"],
  ["approve id", "questions"],
  ["reject id", "questions"],
  ["reply id", "questions"],
  ["check session id", "free"],
  ["agents show name", "agents"],
  ["agents check name", "agents"],
  ["template show name", "templates"],
  ["template add source", "folders"],
  ["template publish name", "templates"],
  ["template search words", "free"],
  ["task add title", "free"],
  ["help topic", "help topics"],
  ["completion shell", "shells"],
  ["mcp install client", "clients"],
  ["mcp uninstall client", "clients"],
]);

const ofArgument: ReadonlyMap<string, ValueKind> = new Map([
  ["story", "stories"],
  ["id", "work"],
  ["task", "tasks"],
  ["tasks", "tasks"],
  ["key", "config keys"],
  ["file", "files"],
]);

const ofOption: ReadonlyMap<string, ValueKind> = new Map([
  ["--agent", "agents"],
  ["--template", "templates"],
  ["--symptom", "symptoms"],
  ["--isolation", "isolations"],
  ["--story", "stories"],
  ["--task", "tasks"],
  ["--depends", "tasks"],
  ["--depends-on", "work"],
  ["--session", "free"],
  ["--script", "files"],
  ["--scripts", "files"],
  ["--config", "files"],
  ["--from", "files"],
  ["--out", "folders"],
  ["--root", "folders"],
  ["-C", "folders"],
  ["--scope", "files"],
]);

/** `path` is the command with its subcommand, such as `agents show`. */
export function kindOfArgument(path: string, name: string): ValueKind {
  return ofCommand.get(`${path} ${name}`) ?? ofArgument.get(name) ?? "free";
}

export function kindOfOption(flag: string): ValueKind {
  return ofOption.get(flag) ?? "free";
}
