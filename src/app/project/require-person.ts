import { setTimeout as delay } from "node:timers/promises";
import { pathExists } from "../../base/files.ts";
import { isInsideRun } from "../../containment/inside-run.ts";
import { appErrors } from "../../errors/app.ts";
import { findProjectRoot } from "../../project/find-project.ts";
import { isStateCovered } from "../../project/covered-state.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { type SupervisorFiles, supervisorFiles } from "../../supervisor/supervisor-files.ts";
import type { AppContext } from "./app-context.ts";

type Caller = Pick<AppContext, "directory" | "environment" | "supervisor" | "version">;

/** Refuses a worker, which must never act in a person's name. `what` continues the sentence "A worker …". */
export async function requirePerson(context: Caller, what: string): Promise<void> {
  if (isInsideWorker(context) || (await isKnownToSupervisor(context))) throw appErrors.notAPerson(what);
}

const NAMES = ["AMBIT_TOKEN", "AMBIT_SOCKET", "AMBIT_RUN_ID"] as const;

/**
 * Whether this process belongs to a worker, even if its own environment was cleared: removing the token does not turn a
 * worker into a person. In a namespace of its own a process sees no mark above it, but still the covered state folder.
 */
export function isInsideWorker({
  directory,
  environment,
}: Pick<Caller, "directory" | "environment">): boolean {
  if (NAMES.some((name) => environment[name] !== undefined)) return true;
  const root = findProjectRoot(directory);
  return (root !== undefined && isStateCovered(getStateDirectory(root))) || isInsideRun(process.pid);
}

const MAX_ANSWER_MS = 2000;

/** The supervisor sees processes that are hidden from this one. A worker never runs without its supervisor. */
async function isKnownToSupervisor(context: Caller): Promise<boolean> {
  const root = context.supervisor === undefined ? findProjectRoot(context.directory) : undefined;
  if (root === undefined) return false;
  const files = supervisorFiles(root);
  if (!pathExists(files.socket)) return false;
  const deadline = new AbortController();
  const late = delay(MAX_ANSWER_MS, false, { signal: deadline.signal }).catch(() => false);
  try {
    return await Promise.race([askSupervisor(files, context.version), late]);
  } finally {
    deadline.abort();
  }
}

async function askSupervisor(files: SupervisorFiles, version: string): Promise<boolean> {
  try {
    const { connectSupervisor } = await import("../../supervisor/client.ts");
    const client = await connectSupervisor(files, { version });
    if (client === undefined) return false;
    try {
      return (await client.call("caller", {})).inside_run === true;
    } finally {
      client.close();
    }
  } catch {
    // An older supervisor does not know the question. It also refuses or takes the command itself.
    return false;
  }
}
