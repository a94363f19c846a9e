import { isRecord, readFieldAt } from "../../base/json.ts";
import { readContentText, readListAt, readTextAt } from "./json-fields.ts";
import { openAiFailure } from "./openai-failure.ts";
import { responseDocument, responseEvents } from "./responses-answer.ts";
import type { ModelRequest, OfferedTool, TalkItem, WireApi } from "./wire-api.ts";

/** OpenAI Responses, `POST /v1/responses`. */
export const responsesApi: WireApi = {
  read: readRequest,
  document: responseDocument,
  events: responseEvents,
  failure: openAiFailure,
};

function readRequest(body: unknown): ModelRequest {
  const input = readFieldAt(body, "input");
  const answerSchema = readFieldAt(body, "text", "format", "schema");
  return {
    api: "responses",
    model: readTextAt(body, "model"),
    stream: readFieldAt(body, "stream") === true,
    tools: readListAt(body, "tools").flatMap((tool) => readTool(tool)),
    talk: typeof input === "string" ? [{ kind: "prompt", text: input }] : readListAt(input).flatMap(readItem),
    ...(isRecord(answerSchema) ? { answerSchema } : {}),
  };
}

function readTool(tool: unknown, namespace?: string): readonly OfferedTool[] {
  const name = readTextAt(tool, "name");
  const owner = namespace === undefined ? {} : { namespace };
  switch (readTextAt(tool, "type")) {
    case "function":
      return [{ name, ...owner, kind: "function", parameters: readFieldAt(tool, "parameters") }];
    case "custom":
      return [{ name, ...owner, kind: "custom", parameters: undefined }];
    case "local_shell":
      return [{ name: "local_shell", kind: "local_shell", parameters: undefined }];
    case "namespace":
      return readListAt(tool, "tools").flatMap((inner) => readTool(inner, name));
    default:
      return [];
  }
}

const RESULTS = new Set(["function_call_output", "custom_tool_call_output", "local_shell_call_output"]);

function readItem(item: unknown): readonly TalkItem[] {
  if (RESULTS.has(readTextAt(item, "type")))
    return [{ kind: "result", text: joinPartTexts(readFieldAt(item, "output")) }];
  if (readTextAt(item, "role") !== "user") return [];
  const content = readFieldAt(item, "content");
  // Part by part, because the CLI may add parts next to the prompt.
  if (typeof content === "string") return [{ kind: "prompt", text: content }];
  return readListAt(content).map((part) => ({ kind: "prompt", text: readTextAt(part, "text") }));
}

function joinPartTexts(output: unknown): string {
  const content = readFieldAt(output, "content");
  return readContentText(typeof content === "string" ? content : output);
}
