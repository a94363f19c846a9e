import type { RecordedRequest } from "../../../src/testing/index.ts";
import { listOf, type Fields } from "./fields.ts";

/**
 * Tool calls of a request that nobody answered in it. The scripted model does not mind; real providers refuse such a
 * request, and a session that was cut off inside a call could never go on.
 */
export function unansweredCalls({ api, body }: RecordedRequest): readonly string[] {
  switch (api) {
    case "responses":
      return unanswered(listOf(body, "input"), {
        calls: (item) => (String(item["type"]).endsWith("_call") ? [item["call_id"]] : []),
        answers: (item) => (String(item["type"]).endsWith("_call_output") ? [item["call_id"]] : []),
      });
    case "chat":
      return unanswered(listOf(body, "messages"), {
        calls: (item) => listOf(item, "tool_calls").map(({ id }) => id),
        answers: (item) => (item["role"] === "tool" ? [item["tool_call_id"]] : []),
      });
    case "anthropic":
      return unanswered(
        listOf(body, "messages").flatMap((message) => listOf(message, "content")),
        {
          calls: (item) => (item["type"] === "tool_use" ? [item["id"]] : []),
          answers: (item) => (item["type"] === "tool_result" ? [item["tool_use_id"]] : []),
        },
      );
    default:
      return unansweredInGemini(listOf(body, "contents"));
  }
}

interface Reading {
  readonly calls: (item: Fields) => readonly unknown[];
  readonly answers: (item: Fields) => readonly unknown[];
}

function unanswered(items: readonly Fields[], { calls, answers }: Reading): readonly string[] {
  const answered = new Set(items.flatMap(answers));
  return items
    .flatMap(calls)
    .filter((id) => !answered.has(id))
    .map(String);
}

/** Its calls have no ids everywhere; each message with calls is followed by one with as many answers. */
function unansweredInGemini(contents: readonly Fields[]): readonly string[] {
  const count = (message: Fields | undefined, kind: string): number =>
    listOf(message, "parts").filter((part) => part[kind] !== undefined).length;
  return contents.flatMap((message, index) => {
    const missing = count(message, "functionCall") - count(contents[index + 1], "functionResponse");
    return missing > 0 ? [`${missing} of message ${index}`] : [];
  });
}
