import { readFileSync } from "node:fs";
import { applyEdits, findNodeAtLocation, modify, parseTree, type ModificationOptions } from "jsonc-parser";
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
    const edits = modify(text, ["userStories", index, "passes"], true, chooseFormat(text, index));
    const edited = applyEdits(text, edits);
    if (edited !== text) writeFileAtomically(file, edited, { isInPlace: true });
    return undefined;
  } catch (error) {
    return readErrorMessage(error);
  }
}

/** Formatting changes whole lines, so a story that is written in one line is not formatted. */
function chooseFormat(text: string, index: number): ModificationOptions {
  const root = parseTree(text);
  const story = root === undefined ? undefined : findNodeAtLocation(root, ["userStories", index]);
  const written = story === undefined ? "" : text.slice(story.offset, story.offset + story.length);
  if (!written.includes("\n")) return {};
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { formattingOptions: { insertSpaces: true, tabSize: 2, eol } };
}
