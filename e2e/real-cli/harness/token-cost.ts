import type { RecordedRequest } from "../../../src/testing/index.ts";
import { fieldsOf, listOf, type Fields } from "./fields.ts";

/** The definitions of our tools in a request, as the CLI sends them. */
export function ourTools({ body }: RecordedRequest): readonly Fields[] {
  const added = listOf(body, "input").filter(({ type }) => type === "additional_tools");
  return [body, ...added].flatMap((holder) => listOf(holder, "tools")).flatMap(oursWithin);
}

/** Some CLIs send a tool as it is, some inside a function, a list of functions or a namespace. */
function oursWithin(tool: Fields): readonly Fields[] {
  const name = tool["name"] ?? fieldsOf(tool["function"])["name"];
  if (typeof name === "string" && name.includes("ambit")) return [tool];
  return [...listOf(tool, "functionDeclarations"), ...listOf(tool, "tools")].flatMap(oursWithin);
}

/** Gemini CLI adds a field of its own to every tool. */
const ADDED_BY_CLIS: ReadonlySet<string> = new Set(["wait_for_previous"]);

/** What a request spends on them, as far as it comes from us. */
export function countToolTokens(tools: readonly Fields[]): number {
  return estimateTokens(
    JSON.stringify(tools, (name, value: unknown) => (ADDED_BY_CLIS.has(name) ? undefined : value)),
  );
}

/**
 * A run of letters, of digits or of other characters is one token: within 3 % of o200k_base for our prompts and
 * tools, and needs no vocabulary.
 */
export function estimateTokens(text: string): number {
  return text.match(/[a-z]+|[A-Z]+|\d+|[^\sa-zA-Z\d]+/g)?.length ?? 0;
}
