import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cliProgram, workFolder } from "./places.ts";

/** How one scenario ended with one agent as its manager. */
export interface Play {
  readonly build: string;
  readonly scenario: string;
  readonly agent: string;
  readonly holds: boolean;
  /** What was seen, or the reason why it fell short. */
  readonly note: string;
}

const playsFile = join(workFolder, "plays.jsonl");

/** Every play is kept: a scenario that holds only the second time must not look as if it had held at once. */
export function recordPlay(play: Play): void {
  appendFileSync(playsFile, `${JSON.stringify(play)}\n`);
}

export function readPlays(build: string): readonly Play[] {
  if (!existsSync(playsFile)) return [];
  const lines = readFileSync(playsFile, "utf8").trimEnd().split("\n");
  return lines.map((line): Play => JSON.parse(line)).filter((play) => play.build === build);
}

const HASH_LENGTH = 8;

/** The newest commit of the product, and a hash of what was built from it. */
export function readBuild(): string {
  const commit = execFileSync("git", ["log", "-1", "--format=%h", "--", "src"], { encoding: "utf8" }).trim();
  const folder = dirname(cliProgram);
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted())
    if (name.endsWith(".cjs")) hash.update(name).update(readFileSync(join(folder, name)));
  return `${commit}, built as ${hash.digest("hex").slice(0, HASH_LENGTH)}`;
}
