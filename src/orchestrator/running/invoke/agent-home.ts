import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { BuiltFile, BuiltRun } from "../../../agents/adapter.ts";
import { layerSettings } from "../../../agents/layer-settings.ts";
import type { Delegation } from "../../../journal/store.ts";
import { getAgentHomes, noteHomesOwner, removeAgentHome } from "../../../project/agent-homes.ts";

const OWNER_ONLY = 0o700;

/**
 * The folder where one delegation's agent keeps its settings, its login and its sessions, because agents that share such
 * a folder corrupt it for each other. In a sandbox the worker must be able to write it.
 */
export function findAgentHome(
  stateDirectory: string,
  { id }: Pick<Delegation, "id">,
  outbox: string | undefined,
): string {
  return outbox === undefined ? join(getAgentHomes(stateDirectory), id) : join(outbox, "agent-home");
}

/** Writes the files that the adapter asks for. An existing login stays, because it may be newer than the user's. */
export function prepareAgentHome(home: string, built: BuiltRun): void {
  const { files = [], copies = [], argv, environment } = built;
  const named = [...argv, ...Object.values(environment)];
  if (named.some((word) => word.includes(home))) mkdirSync(home, { recursive: true, mode: OWNER_ONLY });
  for (const file of files)
    writeFileSync(makeParentFolder(home, file.path), layerContent(file), { mode: 0o600 });
  for (const { from, to } of copies) {
    if (!existsSync(from)) continue;
    const target = makeParentFolder(home, to);
    if (!existsSync(target)) copyFileSync(from, target, constants.COPYFILE_EXCL);
  }
}

function layerContent({ content, over }: BuiltFile): string {
  if (over === undefined || !existsSync(over)) return content;
  return layerSettings(readFileSync(over, "utf8"), content);
}

/** Notes the owner of the home, if the agent has one. */
export function noteAgentHome(stateDirectory: string, delegation: Pick<Delegation, "id">): void {
  if (existsSync(findAgentHome(stateDirectory, delegation, undefined))) noteHomesOwner(stateDirectory);
}

/** A delegation that has ended is never resumed, and its copy of the login must not stay. */
export function dropAgentHome(stateDirectory: string, { id }: Pick<Delegation, "id">): void {
  removeAgentHome(stateDirectory, id);
}

function makeParentFolder(home: string, path: string): string {
  const target = resolve(home, path);
  if (relative(home, target).split(sep)[0] === "..") throw new TypeError(`${path} leads out of ${home}`);
  mkdirSync(dirname(target), { recursive: true, mode: OWNER_ONLY });
  return target;
}
