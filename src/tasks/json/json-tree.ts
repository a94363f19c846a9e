import { type Node, parseTree } from "jsonc-parser";
import type { Span } from "../markdown/lines.ts";
import { taskErrors } from "../../errors/tasks.ts";

export type JsonNode = Node;

/** The tree of a JSON text that a strict parser has accepted before; `path` names the file in an error. */
export function parseJsonTree(text: string, path: string): JsonNode {
  try {
    const root = parseTree(text);
    if (root !== undefined) return root;
  } catch {
    // The library recurses; a text with thousands of levels exceeds the call stack.
  }
  throw taskErrors.fileBroken(path, "it is nested too deeply to be edited");
}

/** The value of a member. If a key is there more than once, the last one counts, as in `JSON.parse`. */
export function findMemberValue(object: JsonNode | undefined, key: string): JsonNode | undefined {
  return findProperty(object, key)?.children?.[1];
}

/** The member itself, key included. */
export function findProperty(object: JsonNode | undefined, key: string): JsonNode | undefined {
  return object?.children?.findLast((property) => isMemberNamed(property, key));
}

export function isMemberNamed(property: JsonNode | undefined, key: string): boolean {
  return property?.children?.[0]?.value === key;
}

export function toTextSpan({ offset, length }: JsonNode): Span {
  return { start: offset, end: offset + length };
}
