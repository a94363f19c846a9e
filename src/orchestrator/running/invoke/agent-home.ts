import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { BuiltFile, BuiltRun } from "../../../agents/adapter.ts";
import { layerSettings } from "../../../agents/layer-settings.ts";
import type { Delegation } from "../../../journal/store.ts";

const OWNER_ONLY = 0o700;

/**
 * Where one delegation's agent keeps its settings, its login and its sessions: agents that share such a folder corrupt
 * it for each other. In a sandbox it must lie where the worker can write.
 */
export function agentHomeOf(
  stateDirectory: string,
  { id }: Pick<Delegation, "id">,
  outbox: string | undefined,
): string {
  return outbox === undefined ? join(stateDirectory, "agents", id) : join(outbox, "agent-home");
}

/** What the adapter wants to be there, if it wants the folder at all. A login that is there may be newer than the user's. */
export function furnishAgentHome(home: string, built: BuiltRun): void {
  const { files = [], copies = [], argv, environment } = built;
  const named = [...argv, ...Object.values(environment)];
  if (named.some((word) => word.includes(home))) mkdirSync(home, { recursive: true, mode: OWNER_ONLY });
  for (const file of files) writeFileSync(place(home, file.path), contentOf(file), { mode: 0o600 });
  for (const { from, to } of copies) {
    if (!existsSync(from)) continue;
    const target = place(home, to);
    if (!existsSync(target)) copyFileSync(from, target, constants.COPYFILE_EXCL);
  }
}

function contentOf({ content, over }: BuiltFile): string {
  return over === undefined || !existsSync(over)
    ? content
    : layerSettings(readFileSync(over, "utf8"), content);
}

/** Nobody resumes a session of a delegation that has ended; its copy of the login must not stay. */
export function dropAgentHome(stateDirectory: string, { id }: Pick<Delegation, "id">): void {
  rmSync(join(stateDirectory, "agents", id), { recursive: true, force: true });
}

function place(home: string, path: string): string {
  const target = resolve(home, path);
  if (relative(home, target).split(sep)[0] === "..") throw new TypeError(`${path} leads out of ${home}`);
  mkdirSync(dirname(target), { recursive: true, mode: OWNER_ONLY });
  return target;
}
