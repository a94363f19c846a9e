import { Readable } from "node:stream";
import type { StandardInput, Terminal } from "../../src/cli/terminal/terminal.ts";
import { reachEnding, type Ending } from "../../src/cli/program.ts";

export interface Surroundings {
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly isTty?: boolean;
}

/** Runs a command line in this process; warnings, which are written at once, come before what it ends with. */
export async function runInProcess(
  args: readonly string[],
  { directory, environment = {}, input = "", isTty = false }: Surroundings,
): Promise<Ending> {
  let warnings = "";
  const stdin: StandardInput = Object.assign(Readable.from([Buffer.from(input)], { objectMode: false }), {
    isTTY: isTty,
  });
  const terminal: Terminal = {
    environment,
    currentDirectory: () => directory,
    isTty: () => isTty,
    stdin: () => stdin,
    writeError: (text) => {
      warnings += text;
    },
  };
  const ending = await reachEnding({ argv: args, version: "1.2.3", terminal });
  return { ...ending, stderr: warnings + ending.stderr };
}
