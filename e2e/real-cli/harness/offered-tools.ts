import type { RecordedRequest } from "../../../src/testing/index.ts";
import { fieldsOf, listOf } from "./fields.ts";

/**
 * Every tool a model was told of: those of the request, those a newer Codex puts among its messages, and those it can
 * only call from a program it writes, which are described in words.
 */
export function offeredTools({ tools = [], body }: RecordedRequest): readonly string[] {
  const added = listOf(body, "input").filter(({ type }) => type === "additional_tools");
  const named = added.flatMap((item) => listOf(item, "tools")).flatMap(namesOf);
  return [...tools, ...named, ...ownWords(JSON.stringify(body ?? ""))];
}

function namesOf(tool: Readonly<Record<string, unknown>>): readonly string[] {
  return [tool, ...listOf(tool, "tools")].map((one) => String(fieldsOf(one)["name"]));
}

const OURS = /mcp__ambit__[a-z_]+/g;

function ownWords(text: string): readonly string[] {
  return text.match(OURS) ?? [];
}
