import { readTextAt, type ToolCall } from "./protocol.ts";

const MAX_NAME_LENGTH = 200;
/** Gemini names the tool only in the id: `write_file__o71ogtq56qobtz36`. */
const ID_MARK = "__";
const PLAIN_NAME = /^[A-Za-z][\w-]*$/;

/**
 * A tool's name, from any field this agent uses; undefined if the message names none. The title is the last
 * resort: for many agents it is a sentence about the call.
 */
export function readToolName(call: ToolCall): string | undefined {
  const name =
    call.name ??
    readTextAt(call._meta, "toolName") ??
    readTextAt(call._meta, "claudeCode", "toolName") ??
    readNameInId(call.toolCallId) ??
    call.title ??
    undefined;
  return name === undefined || name === "" ? undefined : name.slice(0, MAX_NAME_LENGTH);
}

function readNameInId(id: string): string | undefined {
  const name = id.slice(0, Math.max(0, id.lastIndexOf(ID_MARK)));
  return PLAIN_NAME.test(name) ? name : undefined;
}
