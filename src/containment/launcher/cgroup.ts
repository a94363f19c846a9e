import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The folder of our own cgroup (version 2), or why there is none. */
export type OwnCgroup =
  | { readonly kind: "found"; readonly path: string; readonly mount: string }
  | { readonly kind: "none"; readonly reason: string };

/** Where the processes of one run are grouped: nowhere, in a group made for it, or in a scope made by systemd. */
export type CgroupPlace =
  | { readonly kind: "none" }
  | { readonly kind: "group"; readonly path: string }
  | { readonly kind: "scope"; readonly mount: string };

export function findOwnCgroup(): OwnCgroup {
  try {
    const mount = findCgroupMount(readFileSync("/proc/self/mountinfo", "utf8"));
    if (mount === undefined) return { kind: "none", reason: "cgroup v2 is not mounted" };
    const own = parseOwnCgroup(readFileSync("/proc/self/cgroup", "utf8"));
    if (own === undefined) return { kind: "none", reason: "this process is not in a cgroup v2" };
    return { kind: "found", path: join(mount, own), mount };
  } catch {
    return { kind: "none", reason: "this system has no cgroups" };
  }
}

/** `36 35 98:0 / /sys/fs/cgroup rw,… shared:9 - cgroup2 …`: the mount point of a cgroup2 mounted from its root. */
export function findCgroupMount(mountInfo: string): string | undefined {
  for (const line of mountInfo.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root, point] = before.split(" ");
    if (root === "/" && after.startsWith("cgroup2 ")) return point;
  }
  return undefined;
}

/** `0::/user.slice/…` */
export function parseOwnCgroup(membership: string): string | undefined {
  return membership
    .split("\n")
    .find((line) => line.startsWith("0::"))
    ?.slice(3);
}

export function buildCgroupName(runId: string): string {
  return `ambit-${runId}`;
}

/** Finds the group of a run, if it still exists, when no record names it. */
export function findCgroup(runId: string): string | null {
  const own = findOwnCgroup();
  const path = own.kind === "found" ? join(own.path, buildCgroupName(runId)) : undefined;
  return path !== undefined && existsSync(path) ? path : null;
}

/** Creates the group of one run below `parent`. Throws if that is not allowed or the kernel cannot kill groups. */
export function createCgroup(parent: string, runId: string): string {
  const path = join(parent, buildCgroupName(runId));
  mkdirSync(path, { mode: 0o700 });
  if (existsSync(join(path, "cgroup.kill"))) return path;
  rmdirSync(path);
  throw new Error("the kernel has no cgroup.kill (Linux 5.14 and later have it)");
}

/** Kills everything in the group of a run and its subgroups; only groups that we named ourselves. */
export function killCgroup(path: string, runId: string): boolean {
  if (basename(path) !== buildCgroupName(runId) || !existsSync(path)) return false;
  try {
    writeFileSync(join(path, "cgroup.kill"), "1");
    return true;
  } catch {
    // The group was removed in between, so it had to be empty.
    return false;
  }
}

/** Removes the empty group and its empty subgroups; false while something still runs in it. */
export function removeCgroup(path: string): boolean {
  if (!existsSync(path)) return true;
  try {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) removeCgroup(join(path, entry.name));
    }
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}
