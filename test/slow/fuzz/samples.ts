import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Sample {
  readonly name: string;
  readonly text: string;
  readonly session: string;
}

/** The returns every mutation starts from (R49); each is valid for its own session. */
export function readSamples(folder: string): readonly Sample[] {
  return readdirSync(folder).map((name) => {
    const text = readFileSync(join(folder, name), "utf8").trim();
    const session = /"session_id": "(\w+)"/.exec(text)?.[1];
    if (session === undefined) throw new Error(`${name} has no session`);
    return { name, text, session };
  });
}
