import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { buildCgroupName, findOwnCgroup, removeCgroup } from "./launcher/cgroup.ts";

/** A group is empty for a moment before its first process enters it, but never this long. */
const ENTER_MS = 2000;

/**
 * Removes groups that a killed owner created and never used: empty now and a while later. A group with a process in
 * it cannot be removed. Returns the number of removed groups.
 */
export async function sweepEmptyGroups(parent = findOwnGroup(), enterMs = ENTER_MS): Promise<number> {
  if (parent === undefined) return 0;
  const empty = listEmptyGroups(parent);
  if (empty.length === 0) return 0;
  await delay(enterMs);
  const still = new Set(listEmptyGroups(parent));
  return empty.filter((path) => still.has(path) && removeCgroup(path)).length;
}

function findOwnGroup(): string | undefined {
  const own = findOwnCgroup();
  return own.kind === "found" ? own.path : undefined;
}

function listEmptyGroups(parent: string): readonly string[] {
  return readdirSync(parent)
    .filter((name) => name.startsWith(buildCgroupName("")))
    .map((name) => join(parent, name))
    .filter(isEmptyGroup);
}

function isEmptyGroup(path: string): boolean {
  try {
    return readFileSync(join(path, "cgroup.events"), "utf8").split("\n").includes("populated 0");
  } catch {
    // The group disappeared in between.
    return false;
  }
}
