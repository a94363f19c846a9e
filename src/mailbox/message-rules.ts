import { createHash } from "node:crypto";

/** A message as the rules see it. */
export interface Letter {
  readonly from: string;
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface StoredLetter extends Letter {
  readonly id: string;
  readonly state: string;
}

/** Unread messages that one recipient may have. Further ones are refused; the existing ones are not lost. */
export const MAX_PENDING = 100;

/**
 * Names a message by its content and recipient, and by how often the same was read before: sending it again while it is
 * unread is the same message, sending it again later is a new one.
 */
export function nameLetter(letter: Letter, earlier: readonly StoredLetter[]): string {
  const same = earlier.filter((one) => isSameLetter(one, letter));
  const unread = same.find(({ state }) => state === "pending");
  if (unread !== undefined) return unread.id;
  const content = JSON.stringify([letter.from, letter.to, same.length, letter.body]);
  return `msg-${createHash("sha256").update(content).digest("hex").slice(0, 16)}`;
}

function isSameLetter(one: Letter, other: Letter): boolean {
  return one.from === other.from && one.to === other.to && sortFields(one.body) === sortFields(other.body);
}

/** The order of fields does not matter. */
function sortFields(body: Letter["body"]): string {
  return JSON.stringify(Object.entries(body).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** A message in one line, for a model or a person. */
export function renderLetter(body: Letter["body"]): string {
  const field = (name: string): string => {
    const value = body[name];
    if (Array.isArray(value)) return value.filter((item) => typeof item === "string").join(", ");
    return typeof value === "string" ? value : "";
  };
  const after = (label: string, name: string): string =>
    field(name) === "" ? "" : ` ${label} ${field(name)}`;
  switch (body["type"]) {
    case "task_assignment":
      return `asks you to: ${field("content")}.${after("Done when:", "acceptance_criteria")}${after("Background:", "context")}`;
    case "task_progress":
      return `says: ${field("progress_summary")}${after("Next:", "next_steps")}${after("Done in:", "estimated_completion")}`;
    case "task_completion":
      return `reports ${field("status")}: ${field("result_summary")}${after("Files:", "files_modified")}`;
    case "task_status":
      return `is blocked: ${field("blocker")}${after("Asks for:", "requested_action")}${after("Tried:", "attempted_solutions")}`;
    case "clarification_request":
      return `asks: ${field("question")}`;
    case "answer":
      return `answers: ${field("answer")}`;
    case "cancel":
      return `cancels it: ${field("reason")}`;
    case "ack":
      return `has received it.${after("", "note")}`;
    default:
      return JSON.stringify(body);
  }
}

/** A line of a prompt or a list, with sender and task. */
export function renderLetterLine({ id, from, body }: StoredLetter): string {
  const task = typeof body["task_id"] === "string" ? body["task_id"] : "";
  return `- ${from}${task === "" || task === from ? "" : `, about ${task},`} ${renderLetter(body)} (${id})`;
}

const MAX_CHARACTERS = 24_000;

/** As many as fit into one prompt, oldest first, and always at least one. */
export function fitLetters<Item extends StoredLetter>(letters: readonly Item[]): readonly Item[] {
  let room = MAX_CHARACTERS;
  const end = letters.findIndex((letter) => {
    room -= renderLetterLine(letter).length;
    return room < 0;
  });
  return end === -1 ? letters : letters.slice(0, Math.max(1, end));
}
