/**
 * A second judgement of an accepted return, written from the requirements (R32–R57, C3, C7–C15) and sharing no
 * code with src/. It looks for any reason why the return should not have been accepted.
 */
export interface Accepted {
  readonly status: string;
  readonly summary: string;
  readonly artifacts: readonly unknown[];
  readonly errors: readonly unknown[];
  readonly metadata: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** The first reason against accepting `accepted` from `bytes`, or undefined. */
export function findObjection(bytes: Uint8Array, session: string, accepted: Accepted): string | undefined {
  if (bytes.length > 1024 * 1024) return "larger than 1 MiB";
  const slice = lastReturn(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), session);
  if (slice === undefined) return "no JSON object has a status";
  if (hasDuplicateKey(slice)) return "a key appears twice in one object";
  const value: unknown = JSON.parse(slice);
  if (!isFields(value)) return "not an object";
  return (
    objectToFields(value, session) ??
    objectToArtifacts(value) ??
    objectToErrors(value) ??
    objectToCopy(value, accepted)
  );
}

/**
 * Left to right, each object as wide as it parses; the return is the last one with a status and our session, or
 * else the last one with a status.
 */
function lastReturn(text: string, session: string): string | undefined {
  const objects: string[] = [];
  let start = text.indexOf("{");
  while (start !== -1) {
    const object = widestObject(text, start);
    if (object !== undefined) objects.push(object);
    start = text.indexOf("{", start + (object?.length ?? 1));
  }
  const reports = objects.filter((object) => Object.hasOwn(JSON.parse(object), "status"));
  // Compared after parsing, because letters of the id may be escaped.
  return reports.findLast((object) => JSON.stringify(JSON.parse(object)).includes(session)) ?? reports.at(-1);
}

function widestObject(text: string, start: number): string | undefined {
  for (let end = text.lastIndexOf("}"); end > start; end = text.lastIndexOf("}", end - 1)) {
    const slice = text.slice(start, end + 1);
    if (parses(slice)) return slice;
  }
  return undefined;
}

function objectToFields(value: Fields, session: string): string | undefined {
  const { status, summary, metadata } = value;
  if (!isOneOf(status, [...SUCCESS, "partial", "failed", "blocked"])) return `status ${String(status)}`;
  if (typeof summary !== "string" || summary.trim() === "") return "summary is empty";
  if (Array.from(summary).length > 500) return "summary is longer than 500 characters";
  if (!isFields(metadata)) return "metadata is not an object";
  if (metadata["session_id"] !== session) return "another session";
  if (!within(value, 32)) return "nested deeper than 32 levels";
  return objectToIdentity(metadata) ?? objectToNumbers(metadata);
}

function objectToIdentity(metadata: Fields): string | undefined {
  const { agent_type: agent, delegation_depth: depth, delegation_path: path } = metadata;
  const isOperation =
    !Object.hasOwn(metadata, "agent_type") && OPERATION.some((name) => Object.hasOwn(metadata, name));
  if (!isOperation && [agent, depth, path].some((field) => isAbsent(field)))
    return "agent identity is missing";
  if (!isAbsent(agent) && (typeof agent !== "string" || agent === "")) return "agent_type";
  if (!isAbsent(depth) && (!isCount(depth) || depth > 9)) return "delegation_depth";
  if (isAbsent(path)) return undefined;
  if (!Array.isArray(path) || path.length === 0 || path.length > 16) return "delegation_path";
  if (path.some((name) => typeof name !== "string" || name === "")) return "delegation_path";
  return isAbsent(depth) || depth === path.length - 2 ? undefined : "depth is not path length minus two";
}

function objectToNumbers(metadata: Fields): string | undefined {
  const { duration_seconds: duration, estimated_hours: hours } = metadata;
  for (const number of [duration, hours]) {
    if (!isAbsent(number) && !(typeof number === "number" && number >= 0 && Number.isFinite(number)))
      return "duration";
  }
  const wrong = COUNTS.find((name) => !isAbsent(metadata[name]) && !isCount(metadata[name]));
  if (wrong !== undefined) return wrong;
  const lists = ["task_numbers", "subtasks", "subtasks_created", "subtasks_rolled_back"].map(
    (name) => metadata[name],
  );
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.every((item) => Number.isSafeInteger(item));
  return lists.every((list) => isAbsent(list) || isList(list)) ? undefined : "a list of task numbers";
}

function objectToArtifacts(value: Fields): string | undefined {
  const { artifacts, status, metadata } = value;
  if (!Array.isArray(artifacts) || artifacts.length > 1000) return "artifacts is not a list of at most 1000";
  const path: unknown = isFields(metadata) ? metadata["delegation_path"] : undefined;
  const command: unknown = Array.isArray(path) ? path[1] : undefined;
  const owes = status === "researched" || status === "planned" || isOneOf(command, ["research", "plan"]);
  if (owes && isOneOf(status, SUCCESS) && artifacts.length === 0) return "a file is owed and none is named";
  return artifacts.every(isArtifact) ? undefined : "an artifact is not acceptable";
}

function isArtifact(artifact: unknown): boolean {
  if (!isFields(artifact) || !isOneOf(artifact["type"], ARTIFACT_TYPES)) return false;
  const { path, summary } = artifact;
  if (!isAbsent(summary) && typeof summary !== "string") return false;
  if (typeof path !== "string" || path === "" || path.includes("\u0000")) return false;
  if (["/", "\\", "~"].includes(path.charAt(0)) || path.charAt(1) === ":") return false;
  // Resolved by hand, as if both separators counted: the walk may never stand above where it began.
  const walk = path.replaceAll("\\", "/").split("/");
  return walk.every((_, index) => heightAfter(walk.slice(0, index + 1)) >= 0) && heightAfter(walk) > 0;
}

function heightAfter(segments: readonly string[]): number {
  const down = segments.filter((segment) => !["", ".", ".."].includes(segment)).length;
  return down - segments.filter((segment) => segment === "..").length;
}

function objectToErrors(value: Fields): string | undefined {
  const errors = value["errors"] ?? [];
  if (!Array.isArray(errors) || errors.length > 100) return "errors is not a list of at most 100";
  if (errors.length === 0 && !isOneOf(value["status"], SUCCESS)) return "not completed and no errors";
  return errors.every(isError) ? undefined : "an error is not acceptable";
}

function isError(error: unknown): boolean {
  if (!isFields(error)) return false;
  const { type, message, code, recoverable, recommendation } = error;
  if (typeof type !== "string" || type === "" || typeof message !== "string" || message === "") return false;
  if (typeof recoverable !== "boolean" || typeof recommendation !== "string") return false;
  return isAbsent(code) || typeof code === "string";
}

/** What the caller gets must be what the text says, and hold nothing that bites later. */
function objectToCopy(value: Fields, accepted: Accepted): string | undefined {
  const status = isOneOf(value["status"], SUCCESS) ? "completed" : value["status"];
  if (accepted.status !== status) return "the status was changed";
  if (accepted.summary !== String(value["summary"]).trim()) return "the summary was changed";
  const count = Array.isArray(value["artifacts"]) ? value["artifacts"].length : 0;
  if (accepted.artifacts.length !== count) return "artifacts were lost or added";
  if (!accepted.errors.every((error) => isFields(error) && typeof error["code"] === "string"))
    return "no error code";
  return isClean(accepted) ? undefined : "it holds __proto__ or a number that is not finite";
}

function isClean(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return !Object.hasOwn(value, "__proto__") && Object.values(value).every(isClean);
}

const SUCCESS = ["completed", "researched", "planned", "implemented"];
const ARTIFACT_TYPES = [
  "research",
  "report",
  "plan",
  "implementation",
  "summary",
  "documentation",
  "handoff",
];
const COUNTS = [
  "success_count",
  "failure_count",
  "synced_tasks",
  "conflicts_resolved",
  "phase_count",
  "findings_count",
];
const OPERATION = [
  ...COUNTS.slice(0, 4),
  "task_numbers",
  "files_updated",
  "conflict_details",
  "parent_task",
  "subtasks",
  "subtasks_created",
  "subtasks_rolled_back",
];

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isOneOf(value: unknown, known: readonly string[]): boolean {
  return typeof value === "string" && known.includes(value);
}

function within(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((field) => within(field, levels - 1));
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Walks the tokens of a text that is known to parse. */
function hasDuplicateKey(json: string): boolean {
  const open: Set<string>[] = [];
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g) ?? [];
  for (const [index, token] of tokens.entries()) {
    if (token === "{" || token === "[") open.push(new Set());
    if (token === "}" || token === "]") open.pop();
    if (tokens[index + 1] !== ":" || !token.startsWith('"')) continue;
    const key = String(JSON.parse(token));
    if (open.at(-1)?.has(key) === true) return true;
    open.at(-1)?.add(key);
  }
  return false;
}
