import { isAbsolute, relative, resolve, sep } from "node:path";
import { readFieldAt } from "../../base/json.ts";
import { readTextAt, type PermissionRequest, type ToolCall } from "./protocol.ts";

export interface Bounds {
  readonly cwd: string;
  /** Absolute paths of files and folders that may be changed. */
  readonly writable: readonly string[];
  /** Tools that are never allowed, by name in lower case. */
  readonly deniedTools: readonly string[];
}

export interface PermissionAnswer {
  readonly response: object;
  /** The reason for a refusal. */
  readonly refusal?: string;
}

const CANCELLED = { outcome: { outcome: "cancelled" } };
/** Kinds of calls that change their locations; the others read, think or run commands, which containment limits. */
const CHANGING_KINDS: ReadonlySet<string> = new Set(["edit", "delete", "move"]);
const PATH_FIELDS: readonly string[] = [
  "file_path",
  "filePath",
  "path",
  "abs_path",
  "fileName",
  "destination",
];

/**
 * Allows a call once if it stays inside the bounds. This is a courtesy that tells an agent about a bound early:
 * containment, the sandbox and the scope enforce it.
 */
export function answerPermission(
  request: PermissionRequest,
  tool: { readonly name: string; readonly isCancelling: boolean },
  bounds: Bounds,
): PermissionAnswer {
  // The protocol demands this while a turn is being cancelled.
  if (tool.isCancelling) return { response: CANCELLED };
  const refusal = findRefusal(request.toolCall, tool.name, bounds);
  if (refusal !== undefined) return { response: chooseOption(request, "reject") ?? CANCELLED, refusal };
  const allowed = chooseOption(request, "allow");
  if (allowed !== undefined) return { response: allowed };
  return { response: CANCELLED, refusal: "it offers no way to allow it" };
}

function findRefusal(call: ToolCall, name: string, bounds: Bounds): string | undefined {
  if (bounds.deniedTools.includes(name.toLowerCase())) return "workers delegate through ambit only";
  if (!CHANGING_KINDS.has(call.kind ?? "")) return undefined;
  const outside = changedPaths(call).find((path) => !isWritablePath(path, bounds));
  return outside === undefined ? undefined : `${outside} is outside the workspace`;
}

function changedPaths(call: ToolCall): readonly string[] {
  const told = [...(call.locations ?? []), ...(call.content ?? [])].map(({ path }) => path);
  const given = PATH_FIELDS.map((field) => readTextAt(call.rawInput, field));
  return [...told, ...given, ...listEditedPaths(call.rawInput)].filter(
    (path): path is string => typeof path === "string" && path !== "",
  );
}

/** Codex lists several files by using their names as keys. */
function listEditedPaths(rawInput: unknown): readonly string[] {
  const changes = readFieldAt(rawInput, "changes");
  const isMap = typeof changes === "object" && changes !== null && !Array.isArray(changes);
  return isMap ? Object.keys(changes) : [];
}

function isWritablePath(path: string, { cwd, writable }: Bounds): boolean {
  const target = resolve(cwd, path);
  return [cwd, ...writable].some((root) => {
    const way = relative(root, target);
    return way === "" || (way.split(sep)[0] !== ".." && !isAbsolute(way));
  });
}

/** Prefers "once" to "always", because an agent that remembers would not ask again. */
function chooseOption({ options }: PermissionRequest, verb: "allow" | "reject"): object | undefined {
  const option =
    options.find(({ kind }) => kind === `${verb}_once`) ??
    options.find(({ kind }) => kind === `${verb}_always`);
  return option === undefined ? undefined : { outcome: { outcome: "selected", optionId: option.optionId } };
}
