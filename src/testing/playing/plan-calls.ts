import { field, isRecord, textAt } from "../apis/json-fields.ts";
import type { OfferedTool } from "../apis/wire-api.ts";
import type { ModelAction } from "../script/model-script.ts";
import { exampleValue } from "./example-value.ts";
import { argumentName, findNamed, findTool } from "./find-tool.ts";

export type Values = Readonly<Record<string, unknown>>;
export type PlannedCall =
  | { readonly kind: "call"; readonly tool: OfferedTool; readonly arguments: Values }
  | { readonly kind: "missing"; readonly name: string };

const WRITERS = ["Write", "write_file", "write", "create", "create_file"];
const READERS = ["Read", "read_file", "read", "view"];
const SHELLS = [
  "Bash",
  "run_shell_command",
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

/** Turns what a script wants into a call of a tool the request really offers. */
export function planAction(action: ModelAction, tools: readonly OfferedTool[]): PlannedCall {
  const { write, read, sh, delegate, call } = action;
  if (write !== undefined) return planWrite(write, tools);
  if (read !== undefined) return planRead(read, tools);
  if (sh !== undefined) return planShell(sh, tools);
  if (delegate !== undefined) return planNamed("delegate", delegate, tools);
  return planNamed(call?.tool ?? "", call?.arguments ?? {}, tools);
}

function planNamed(name: string, values: Values, tools: readonly OfferedTool[]): PlannedCall {
  const tool = findTool(name, tools);
  return tool === undefined ? { kind: "missing", name } : { kind: "call", tool, arguments: values };
}

/** A CLI without a tool for files (Codex) writes them through its shell. */
function planWrite(
  file: { readonly path: string; readonly text: string },
  tools: readonly OfferedTool[],
): PlannedCall {
  const tool = findNamed(WRITERS, tools);
  if (tool === undefined) return planShell(writeCommand(file), tools, "write");
  return called(tool, {
    [argumentName(tool, PATHS)]: file.path,
    [argumentName(tool, CONTENTS)]: file.text,
  });
}

function planRead(path: string, tools: readonly OfferedTool[]): PlannedCall {
  const tool = findNamed(READERS, tools);
  if (tool === undefined) return planShell(`cat ${quote(path)}`, tools, "read");
  return called(tool, { [argumentName(tool, PATHS)]: path });
}

export function planShell(command: string, tools: readonly OfferedTool[], name = "sh"): PlannedCall {
  const tool = findNamed(SHELLS, tools);
  if (tool === undefined) return { kind: "missing", name };
  const key = argumentName(tool, COMMANDS);
  return called(tool, { [key]: takesList(tool, key) ? ["sh", "-c", command] : command });
}

/** `mkdir` first: agents are expected to be able to write to a folder that is not there yet. */
export function writeCommand({ path, text }: { readonly path: string; readonly text: string }): string {
  const slash = path.lastIndexOf("/");
  const folder = slash > 0 ? `mkdir -p ${quote(path.slice(0, slash))} && ` : "";
  return `${folder}printf %s ${quote(text)} > ${quote(path)}`;
}

function takesList(tool: OfferedTool, key: string): boolean {
  if (tool.kind === "local_shell") return true;
  return textAt(tool.parameters, "properties", key, "type").toLowerCase() === "array";
}

/** Other arguments the tool insists on get some value of the right kind. */
function called(tool: OfferedTool, values: Values): PlannedCall {
  const example = exampleValue({ ...asObject(tool.parameters), type: "object" });
  return { kind: "call", tool, arguments: { ...asObject(example), ...values } };
}

function asObject(value: unknown): Values {
  return isRecord(value) ? value : {};
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether a tool takes its arguments wrapped in one field. */
export function wraps(tool: OfferedTool, name: string): boolean {
  return field(tool.parameters, "properties", name) !== undefined;
}
