import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { resolveLinks } from "../../base/files.ts";
import { agentProgramNames } from "../../agents/agent-programs.ts";

export interface AgentInstallation {
  readonly argv: readonly string[];
  /** The paths that must be readable for it to start: all packages it was installed with, or its single file. */
  readonly readable: readonly string[];
}

const PACKAGES = "/node_modules/";

/**
 * An agent program as a sandbox can start it: by the file its name leads to, because the link's own folder is not there.
 * Other programs keep their name, because some behave by it.
 */
export function agentInstallation(argv: readonly string[]): AgentInstallation {
  const [program = "", ...rest] = argv;
  if (!program.startsWith("/") || !agentProgramNames.includes(basename(program)))
    return { argv, readable: [] };
  const file = resolveLinks(program);
  return { argv: [file, ...rest], readable: listInstalled(file) };
}

/** The paths that must be readable for a program to start, given its file. */
export function listInstalled(file: string): readonly string[] {
  const packages = findPackages(file);
  return packages === undefined ? [file, ...listWrapped(file)] : [packages];
}

/** All packages that were installed with it. */
function findPackages(file: string): string | undefined {
  const at = file.indexOf(PACKAGES);
  return at < 0 ? undefined : file.slice(0, at + PACKAGES.length - 1);
}

const MAX_WRAPPER_BYTES = 4096;
const ABSOLUTE_PATH = /\/[\w@%+=:,./-]+/g;

/** The programs that a short script starts by their full paths, which is how some tools install others. */
function listWrapped(file: string): readonly string[] {
  const [first = "", ...lines] = readShortFile(file).split("\n");
  if (!first.startsWith("#!")) return [];
  const named = lines.join("\n").match(ABSOLUTE_PATH) ?? [];
  const found = named.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  return [...new Set(found.map(resolveLinks).map((path) => findPackages(path) ?? path))];
}

function readShortFile(file: string): string {
  try {
    return statSync(file).size > MAX_WRAPPER_BYTES ? "" : readFileSync(file, "utf8");
  } catch {
    // The file disappeared since it was found; the start of the program reports that.
    return "";
  }
}
