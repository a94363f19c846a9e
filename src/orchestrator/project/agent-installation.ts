import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { agentProgramNames } from "../../agents/agent-programs.ts";

export interface AgentInstallation {
  readonly argv: readonly string[];
  /** Has to be readable for it to start: all packages it was installed with, or the one file that it is. */
  readonly readable: readonly string[];
}

const PACKAGES = "/node_modules/";

/**
 * An agent program as a sandbox can start it: by the file its name leads to, as the link's own folder is not there.
 * Other programs keep their name, as some do what it says.
 */
export function agentInstallation(argv: readonly string[]): AgentInstallation {
  const [program = "", ...rest] = argv;
  if (!program.startsWith("/") || !agentProgramNames.includes(basename(program)))
    return { argv, readable: [] };
  const file = resolveLink(program);
  const packages = file.indexOf(PACKAGES);
  const readable = packages < 0 ? file : file.slice(0, packages + PACKAGES.length - 1);
  return { argv: [file, ...rest], readable: [readable] };
}

function resolveLink(program: string): string {
  try {
    return realpathSync(program);
  } catch {
    // Gone since it was found: starting it says so.
    return program;
  }
}
