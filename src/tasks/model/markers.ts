import { taskStatuses, type TaskStatus } from "../../contract/task-status.ts";

const LEFT_BRACKET = 91;
const RIGHT_BRACKET = 93;
const LEFT_PARENTHESIS = 40;
const STATUS_LABEL = "**Status**:";
const MAX_MARKER_LENGTH = 40;

/**
 * Reads the status of a TODO line: `[PLANNED]`, `### 244. Title [PLANNED]`, `- **Status**: [PLANNED]`, or the words
 * alone, in any case. The last marker counts; a link is not a marker.
 */
export function parseMarker(text: string): TaskStatus | undefined {
  const label = text.indexOf(STATUS_LABEL);
  const field = label === -1 ? text : text.slice(label + STATUS_LABEL.length);
  return statusByName.get(normalizeName(field)) ?? findLastBracketed(field);
}

/** `[NOT STARTED]` */
export function renderMarker(status: TaskStatus): string {
  return `[${status.replaceAll("_", " ").toUpperCase()}]`;
}

/** A known status by its name, any other text in the form `pr_ready`, so that both files can be compared. */
export function normalizeStatus(text: string): string {
  return (
    parseMarker(text) ??
    removeBrackets(text)
      .trim()
      .toLowerCase()
      .split(/[\s_]+/)
      .join("_")
  );
}

const statusByName: ReadonlyMap<string, TaskStatus> = new Map([
  ...taskStatuses.map((status): [string, TaskStatus] => [normalizeName(status), status]),
  // Older lists have one word for all work in progress (C20).
  ["in progress", "implementing"],
]);

function normalizeName(text: string): string {
  if (text.length > MAX_MARKER_LENGTH) return "";
  return text
    .trim()
    .toLowerCase()
    .split(/[\s_]+/)
    .join(" ");
}

function findLastBracketed(text: string): TaskStatus | undefined {
  let status: TaskStatus | undefined;
  let start = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === LEFT_BRACKET) start = index + 1;
    if (code !== RIGHT_BRACKET || text.charCodeAt(index + 1) === LEFT_PARENTHESIS) continue;
    status = statusByName.get(normalizeName(text.slice(start, index))) ?? status;
    start = text.length;
  }
  return status;
}

function removeBrackets(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
}
