import type { ModelScriptsInput } from "../../../src/testing/index.ts";
import type { AgentCli } from "../harness/clis.ts";

type Steps = Extract<ModelScriptsInput[string], unknown[]>;
export type Step = Steps[number];

const POEM = "roses are red\n";

/** The last step of a script: a return that names the file it made. */
export function handIn(path: string): Step {
  const summary = `Wrote ${path} as asked. It is there and not empty.`;
  const artifacts = [{ type: "implementation", path, summary: "The file." }];
  return { return: { status: "completed", summary, artifacts } };
}

/** By its own tool, or in its shell where that tool takes only absolute paths, which the script cannot know. */
export function writeFile({ writesByShell }: AgentCli, path: string, text: string): Step {
  return writesByShell === true ? { sh: `printf %s '${text}' > ${path}` } : { write: { path, text } };
}

/** The worker of every delegation. */
export const poet: Steps = [{ write: { path: "poem.txt", text: POEM } }, handIn("poem.txt")];

/** A manager that saw its worker's file in its own folder has a copy of it. */
export const copyPoem: Steps = [{ sh: "cat poem.txt > seen.txt" }, handIn("seen.txt")];

export const bothFiles = { "poem.txt": POEM, "seen.txt": POEM } as const;
