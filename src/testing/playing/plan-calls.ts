import { isRecord, readFieldAt } from "../../base/json.ts";
import { readTextAt } from "../apis/json-fields.ts";
import type { OfferedTool } from "../apis/wire-api.ts";
import type { ModelAction } from "../script/model-script.ts";
import { buildExampleValue } from "./example-value.ts";
import { chooseArgumentName, findToolByName, findOfferedTool } from "./find-tool.ts";

export type Values = Readonly<Record<string, unknown>>;
export type PlannedCall =
  | { readonly kind: "call"; readonly tool: OfferedTool; readonly arguments: Values }
  | { readonly kind: "missing"; readonly name: string };

const WRITERS = ["Write", "write_file", "write", "create", "create_file"];
const READERS = ["Read", "read_file", "read", "view"];
const SHELLS = [
  "Bash",
  "run_shell_command",
  "run_terminal_command",
  "bash",
  "exec_command",
  "shell_command",
  "shell",
  "local_shell",
  "container.exec",
];
const PATHS = ["file_path", "filePath", "path", "absolute_path"];
const CONTENTS = ["content", "file_text", "text", "contents"];
const COMMANDS = ["command", "cmd"];

/** Turns a script's action into a call of a tool that the request offers. */
export function planAction(action: ModelAction, tools: readonly OfferedTool[]): PlannedCall {
  const { write, read, sh, delegate, call } = action;
  if (write !== undefined) return planWriteCall(write, tools);
  if (read !== undefined) return planReadCall(read, tools);
  if (sh !== undefined) return planShellCall(sh, tools);
  if (delegate !== undefined) return planNamedTool("delegate", delegate, tools);
  return planNamedTool(call?.tool ?? "", call?.arguments ?? {}, tools);
}

function planNamedTool(name: string, values: Values, tools: readonly OfferedTool[]): PlannedCall {
  const tool = findOfferedTool(name, tools);
  if (tool !== undefined) return { kind: "call", tool, arguments: values };
  const door = findToolByName(["use_tool"], tools);
  if (door === undefined || name.startsWith("=")) return { kind: "missing", name };
  // Grok offers one tool that calls those of all MCP servers.
  return { kind: "call", tool: door, arguments: { tool_name: `ambit__${name}`, tool_input: values } };
}

/** A CLI without a tool for files (Codex) writes them through its shell. */
function planWriteCall(
  file: { readonly path: string; readonly text: string },
  tools: readonly OfferedTool[],
): PlannedCall {
  const tool = findToolByName(WRITERS, tools);
  if (tool === undefined) return planShellCall(writeCommand(file), tools, "write");
  return planToolCall(tool, {
    [chooseArgumentName(tool, PATHS)]: file.path,
    [chooseArgumentName(tool, CONTENTS)]: file.text,
  });
}

function planReadCall(path: string, tools: readonly OfferedTool[]): PlannedCall {
  const tool = findToolByName(READERS, tools);
  if (tool === undefined) return planShellCall(`cat ${quoteForShell(path)}`, tools, "read");
  return planToolCall(tool, { [chooseArgumentName(tool, PATHS)]: path });
}

export function planShellCall(command: string, tools: readonly OfferedTool[], name = "sh"): PlannedCall {
  const tool = findToolByName(SHELLS, tools);
  if (tool === undefined) return { kind: "missing", name };
  const key = chooseArgumentName(tool, COMMANDS);
  return planToolCall(tool, { [key]: takesWordList(tool, key) ? ["sh", "-c", command] : command });
}

/** `mkdir` first, because real agents create missing folders, too. */
export function writeCommand({ path, text }: { readonly path: string; readonly text: string }): string {
  const slash = path.lastIndexOf("/");
  const folder = slash > 0 ? `mkdir -p ${quoteForShell(path.slice(0, slash))} && ` : "";
  return `${folder}printf %s ${quoteForShell(text)} > ${quoteForShell(path)}`;
}

function takesWordList(tool: OfferedTool, key: string): boolean {
  if (tool.kind === "local_shell") return true;
  return readTextAt(tool.parameters, "properties", key, "type").toLowerCase() === "array";
}

/** Other required arguments get a value of the right type. */
function planToolCall(tool: OfferedTool, values: Values): PlannedCall {
  const example = buildExampleValue({ ...wrapAsObject(tool.parameters), type: "object" });
  return { kind: "call", tool, arguments: { ...wrapAsObject(example), ...values } };
}

function wrapAsObject(value: unknown): Values {
  return isRecord(value) ? value : {};
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a tool takes its arguments wrapped in one field. */
export function wrapsShellCall(tool: OfferedTool, name: string): boolean {
  return readFieldAt(tool.parameters, "properties", name) !== undefined;
}
