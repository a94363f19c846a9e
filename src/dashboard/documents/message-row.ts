import type { Message } from "../../journal/store.ts";
import type { MessageRow } from "../wire.ts";
import { timeOf } from "./run-summary.ts";

/** What each kind of message says, by the names they give it. */
const spoken = [
  "text",
  "content",
  "question",
  "answer",
  "progress_summary",
  "result_summary",
  "blocker",
  "reason",
  "note",
] as const;

export function messageRow({ id, from, to, body, state, sentAt }: Message): MessageRow {
  return {
    id,
    from,
    to,
    kind: textOf(body["type"]),
    text: spoken.map((name) => textOf(body[name])).find((text) => text !== "") ?? "",
    state,
    atMs: timeOf(sentAt),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
