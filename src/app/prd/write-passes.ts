import { readFileSync } from "node:fs";
import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { writeFileAtomically } from "../../base/files.ts";
import { isRecord, parseJson } from "../../base/json.ts";

/** Sets `passes` of one story in its file and leaves every other byte as it is. Answers what went wrong. */
export function writePasses(file: string, id: string): string | undefined {
  try {
    // Read again: the person may have edited the file while the story ran.
    const text = readFileSync(file, "utf8");
    const prd = parseJson(text);
    const stories: readonly unknown[] =
      isRecord(prd) && Array.isArray(prd["userStories"]) ? prd["userStories"] : [];
    const index = stories.findIndex((story) => isRecord(story) && story["id"] === id);
    if (index < 0) return `${id} is no longer in ${file}`;
    const root = parseTree(text);
    const story = root === undefined ? undefined : findNodeAtLocation(root, ["userStories", index]);
    const edited = story === undefined ? text : setPasses(text, story);
    if (edited !== text) writeFileAtomically(file, edited, { isInPlace: true });
    return undefined;
  } catch (error) {
    return readErrorMessage(error);
  }
}

/** A story without the field gets it after its last one, on a line of its own if that one has its own. */
function setPasses(text: string, story: Node): string {
  const present = findNodeAtLocation(story, ["passes"]);
  if (present !== undefined)
    return text.slice(0, present.offset) + "true" + text.slice(present.offset + present.length);
  const { offset, length } = story.children?.at(-1) ?? story;
  const [gap = ""] = /\r?\n[ \t]*$/.exec(text.slice(0, offset)) ?? [];
  const end = offset + length;
  return `${text.slice(0, end)},${gap}"passes": true${text.slice(end)}`;
}
