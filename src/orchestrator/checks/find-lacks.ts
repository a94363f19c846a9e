import { buildEnvironment } from "../../containment/build-environment.ts";
import { findLinesWith } from "../../workspace/find-lines.ts";
import { findMissingContent, type MissingContent } from "../../workspace/missing-content.ts";
import type { WorkspaceSettings } from "../../workspace/worktree.ts";
import type { CommandVariables } from "../delegation/story-tools.ts";

/** Content that a command has in the user's shell and checkout, but lacks in a workspace. */
export interface Lacks extends MissingContent {
  /** Variables that it did not get, and that its output names, or that it, the code or one of its tools reads. */
  readonly variables: readonly string[];
}

export interface LackQuestion {
  readonly workspaces: WorkspaceSettings;
  readonly variables: CommandVariables;
  /** The commit that the command ran on. */
  readonly commit: string;
  readonly command: string;
  readonly output: string;
}

export async function findLacks(question: LackQuestion): Promise<Lacks> {
  const content = await findMissingContent(question.workspaces);
  const named = await findLackingVariables(question);
  return { ...content, variables: [...new Set([...named, ...listToolVariables(question)])] };
}

/**
 * Names the variables of the shell that the command did not get, and that its output names, or that it or the code reads.
 */
export async function findLackingVariables({
  workspaces,
  variables,
  commit,
  command,
  output,
}: LackQuestion): Promise<readonly string[]> {
  const removed = listRemovedNames(variables);
  const named = new Set(removed.filter((name) => mentions(output, name)));
  const lines = [command, ...(await findLinesWith(workspaces.repository, commit, removed))];
  return removed.filter((name) => named.has(name) || lines.some((line) => readsVariable(line, name)));
}

/** Where a tool has its parts, if not in its usual place; neither the tests nor their output need to name them. */
const toolVariables: readonly (readonly [string, readonly string[]])[] = [
  ["RUSTUP_HOME", ["cargo", "rustc", "rustup"]],
  ["CARGO_HOME", ["cargo", "rustup"]],
  ["GOPATH", ["go"]],
  ["GOMODCACHE", ["go"]],
  ["GOROOT", ["go"]],
  ["JAVA_HOME", ["java", "javac", "mvn", "mvnw", "gradle", "gradlew"]],
  ["GRADLE_USER_HOME", ["gradle", "gradlew"]],
  ["PYENV_ROOT", ["pyenv", "python", "python3", "pytest"]],
  ["RBENV_ROOT", ["rbenv", "ruby", "bundle", "rake", "rspec"]],
  ["GEM_HOME", ["ruby", "bundle", "rake", "rspec"]],
  ["DOTNET_ROOT", ["dotnet"]],
  ["VOLTA_HOME", ["volta", "node", "npm", "npx", "yarn", "pnpm"]],
];

/** Names the removed variables of the tools that the command or its output names. */
function listToolVariables({ variables, command, output }: LackQuestion): readonly string[] {
  const removed = new Set(listRemovedNames(variables));
  return toolVariables
    .filter(([name]) => removed.has(name))
    .filter(([, tools]) => tools.some((tool) => mentions(command, tool) || mentions(output, tool)))
    .map(([name]) => name);
}

/** The shell's own variables, and those that say where it runs: no test depends on them. */
const shellNames: ReadonlySet<string> = new Set(
  "_ PWD OLDPWD SHLVL COLUMNS LINES PS1 PS2 HISTFILE HISTSIZE LS_COLORS LOGNAME MAIL EDITOR PAGER VISUAL HOSTNAME CI".split(
    " ",
  ),
);
const MIN_NAME_LENGTH = 3;

function listRemovedNames({ environment, pass, set }: CommandVariables): readonly string[] {
  const given = buildEnvironment({ base: environment, allow: pass, set });
  return Object.keys(environment)
    .filter((name) => environment[name] !== undefined && given[name] === undefined)
    .filter((name) => name.length >= MIN_NAME_LENGTH && /^[A-Za-z_]\w*$/.test(name))
    .filter((name) => !shellNames.has(name) && !name.startsWith("AMBIT_"));
}

/** The ways in which programs ask for a variable. In a shell script, `$NAME` does. */
const readers: readonly string[] = [
  "process.env",
  "import.meta.env",
  "environ",
  "getenv",
  "Getenv",
  "LookupEnv",
  "env::var",
  "env!(",
  "ENV[",
  "ENV.fetch",
  "$ENV{",
];

function readsVariable(line: string, name: string): boolean {
  if (line.includes(`$${name}`) || line.includes(`\${${name}`)) return true;
  return mentions(line, name) && readers.some((reader) => line.includes(reader));
}

/** Whether the name occurs as a whole word. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + name.length] ?? " "}`;
    if (!/\w/.test(around)) return true;
  }
  return false;
}
