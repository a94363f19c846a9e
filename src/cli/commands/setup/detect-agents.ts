import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../../base/run-command.ts";
import { resolveProgram } from "../../../containment/resolve-program.ts";
import { agentProgramNames } from "../../../containment/write-shims.ts";
import type { CommandContext } from "../../command-module.ts";

/** An agent program on this machine. */
export interface FoundAgent {
  readonly name: string;
  /** Null when it did not tell within the deadline. */
  readonly version: string | null;
}

/** Looks for known agent programs on PATH and asks each for its version, all at the same time. */
export async function detectAgents(
  context: Pick<CommandContext, "environment" | "directory">,
): Promise<readonly FoundAgent[]> {
  const environment = definedOnly(context.environment);
  const found = agentProgramNames.flatMap((name) => {
    const path = resolveProgram(name, environment, context.directory);
    return path === undefined ? [] : [{ name, path }];
  });
  return Promise.all(
    found.map(async ({ name, path }) => ({ name, version: await askVersion(path, environment) })),
  );
}

const VERSION_DEADLINE_MS = 5000;
const MOST_OUTPUT_BYTES = 64 * 1024;

async function askVersion(
  path: string,
  environment: Readonly<Record<string, string>>,
): Promise<string | null> {
  try {
    const { exitCode, stdout } = await runCommand({
      argv: [path, "--version"],
      cwd: "/",
      environment,
      timeoutMs: VERSION_DEADLINE_MS,
      maxOutputBytes: MOST_OUTPUT_BYTES,
    });
    if (exitCode !== 0) return null;
    return /\d{1,6}(?:\.\d{1,6}){1,3}/.exec(stdout.toString("utf8"))?.[0] ?? null;
  } catch {
    // It cannot be started: being there is all that is known of it.
    return null;
  }
}

function definedOnly(environment: CommandContext["environment"]): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/** Agents the project itself describes, by name. */
export function describedAgents(root: string): readonly string[] {
  try {
    return readdirSync(join(root, ".ambit", "agents"))
      .flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -".md".length)] : []))
      .toSorted();
  } catch {
    // No such folder: none are described.
    return [];
  }
}
