import { parseJson, isRecord } from "../../base/json.ts";
import { askForReturn, returnInstruction } from "../../contract/return-instruction.ts";

/** The worker's identity and the place for its return, as its prompt tells them. */
export interface PromptFacts {
  readonly identity: Readonly<Record<string, unknown>> | undefined;
  readonly returnFile: string | undefined;
  readonly handoverFile: string | undefined;
}

export function readPromptFacts(prompt: string): PromptFacts {
  return {
    identity: readIdentity(prompt),
    returnFile: returnFileWords()
      .map((words) => readBetween(prompt, words))
      .find((file) => file !== undefined),
    handoverFile: readBetween(prompt, ["what the next session must know to ", " and end your turn"]),
  };
}

/** The first line whose JSON has a session id and a delegation path. */
function readIdentity(prompt: string): PromptFacts["identity"] {
  for (const line of prompt.split("\n")) {
    const start = line.indexOf("{");
    if (start < 0 || !line.includes('"session_id"')) continue;
    const value = parseJson(line.slice(start));
    if (isRecord(value) && typeof value["session_id"] === "string" && Array.isArray(value["delegation_path"]))
      return value;
  }
  return undefined;
}

const ANY_FILE = "\0";

/** Taken from the instructions themselves, so that they follow a change of their words. */
function returnFileWords(): readonly (readonly [string, string])[] {
  const target = { returnFile: ANY_FILE };
  return [askForReturn(target), returnInstruction(target)].map((instruction) => {
    const line = instruction.split("\n").find((one) => one.includes(ANY_FILE));
    const [before = "", after = ""] = line?.split(ANY_FILE) ?? [];
    return [before, after];
  });
}

function readBetween(text: string, [before, after]: readonly [string, string]): string | undefined {
  const start = text.lastIndexOf(before);
  if (before === "" || start < 0) return undefined;
  const [line = ""] = text.slice(start + before.length).split("\n", 1);
  const end = line.indexOf(after);
  return end < 0 ? undefined : line.slice(0, end);
}
