import { returnInstruction } from "../../contract/return-instruction.ts";
import { isRecord, parseJsonText } from "../apis/json-fields.ts";

/** What a worker's prompt tells about its identity and where to leave its return. */
export interface PromptFacts {
  readonly identity: Readonly<Record<string, unknown>> | undefined;
  readonly returnFile: string | undefined;
  readonly handoverFile: string | undefined;
}

export function readPromptFacts(prompt: string): PromptFacts {
  return {
    identity: readIdentity(prompt),
    returnFile: readBetween(prompt, returnFileWords()),
    handoverFile: readBetween(prompt, ["what the next session must know to ", " and end your turn"]),
  };
}

/** The rest of a line, from its first brace on, that holds a session and the path to it. */
function readIdentity(prompt: string): PromptFacts["identity"] {
  for (const line of prompt.split("\n")) {
    const start = line.indexOf("{");
    if (start < 0 || !line.includes('"session_id"')) continue;
    const value = parseJsonText(line.slice(start));
    if (isRecord(value) && typeof value["session_id"] === "string" && Array.isArray(value["delegation_path"]))
      return value;
  }
  return undefined;
}

const ANY_FILE = "\0";

/** Taken from the instruction itself, so that a change of its words does not leave us searching for old ones. */
function returnFileWords(): readonly [string, string] {
  const lines = returnInstruction({ returnFile: ANY_FILE }).split("\n");
  const [before = "", after = ""] = lines.find((line) => line.includes(ANY_FILE))?.split(ANY_FILE) ?? [];
  return [before, after];
}

function readBetween(text: string, [before, after]: readonly [string, string]): string | undefined {
  const start = text.lastIndexOf(before);
  if (before === "" || start < 0) return undefined;
  const [line = ""] = text.slice(start + before.length).split("\n", 1);
  const end = line.indexOf(after);
  return end < 0 ? undefined : line.slice(0, end);
}
