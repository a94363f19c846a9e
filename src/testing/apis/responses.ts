import { contentText, field, isRecord, listAt, textAt } from "./json-fields.ts";
import { openAiFailure } from "./openai-failure.ts";
import { responseDocument, responseEvents } from "./responses-answer.ts";
import type { ModelRequest, OfferedTool, TalkItem, WireApi } from "./wire-api.ts";

/** OpenAI Responses, `POST /v1/responses`. */
export const responsesApi: WireApi = {
  read,
  document: responseDocument,
  events: responseEvents,
  failure: openAiFailure,
};

function read(body: unknown): ModelRequest {
  const input = field(body, "input");
  const answerSchema = field(body, "text", "format", "schema");
  return {
    api: "responses",
    model: textAt(body, "model"),
    stream: field(body, "stream") === true,
    tools: listAt(body, "tools").flatMap((tool) => readTool(tool)),
    talk: typeof input === "string" ? [{ kind: "prompt", text: input }] : listAt(input).flatMap(readItem),
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTool(tool: unknown, namespace?: string): readonly OfferedTool[] {
  const name = textAt(tool, "name");
  const owner = namespace === undefined ? {} : { namespace };
  switch (textAt(tool, "type")) {
    case "function":
      return [{ name, ...owner, kind: "function", parameters: field(tool, "parameters") }];
    case "custom":
      return [{ name, ...owner, kind: "custom", parameters: undefined }];
    case "local_shell":
      return [{ name: "local_shell", kind: "local_shell", parameters: undefined }];
    case "namespace":
      return listAt(tool, "tools").flatMap((inner) => readTool(inner, name));
    default:
      return [];
  }
}

const RESULTS = new Set(["function_call_output", "custom_tool_call_output", "local_shell_call_output"]);

function readItem(item: unknown): readonly TalkItem[] {
  if (RESULTS.has(textAt(item, "type"))) return [{ kind: "result", text: partsText(field(item, "output")) }];
  if (textAt(item, "role") !== "user") return [];
  const content = field(item, "content");
  // Each part by itself: the prompt may stand beside what the CLI adds to it.
  if (typeof content === "string") return [{ kind: "prompt", text: content }];
  return listAt(content).map((part) => ({ kind: "prompt", text: textAt(part, "text") }));
}

function partsText(output: unknown): string {
  const content = field(output, "content");
  return contentText(typeof content === "string" ? content : output);
}
