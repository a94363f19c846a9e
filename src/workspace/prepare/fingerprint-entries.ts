import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { runCommand } from "../../base/run-command.ts";
import { joinBytePath } from "../files/byte-path.ts";

/** Other work gets a turn after this many entries. */
const AT_ONCE = 1000;
const LIST_TIMEOUT_MS = 3_600_000;
const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** Path, inode, kind, permissions, size and both times, to the nanosecond. */
const FACTS = String.raw`%P\0%i %y %m %s %T@ %C@\0`;

/**
 * Fingerprints everything below a folder: inode and change time differ after every write, and no program can set them.
 * Undefined if the folder is empty or holds something that no commit can. GNU `find` lists the entries in a process of
 * its own, several times faster; without it, they are listed here.
 */
export async function fingerprintEntries(searchPath: string, folder: string): Promise<string | undefined> {
  try {
    const list = await listWithFind(searchPath, folder);
    return list === undefined ? await hashEntries(folder) : hashList(list);
  } catch {
    // An entry disappeared during the walk.
    return undefined;
  }
}

/** Undefined if there is no such program, or it could not look at everything. */
async function listWithFind(searchPath: string, folder: string): Promise<Buffer | undefined> {
  try {
    const { exitCode, stdout, truncated } = await runCommand({
      argv: ["find", folder, "-mindepth", "1", "-printf", FACTS],
      cwd: "/",
      environment: { PATH: searchPath, LC_ALL: "C" },
      timeoutMs: LIST_TIMEOUT_MS,
      maxOutputBytes: MAX_LIST_BYTES,
    });
    return exitCode === 0 && !truncated ? stdout : undefined;
  } catch {
    return undefined;
  }
}

function hashList(list: Buffer): string | undefined {
  if (list.length === 0 || list.includes("/.git\0")) return undefined;
  return createHash("sha256").update(list).digest("hex");
}

async function hashEntries(folder: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  const folders = [""];
  let seen = 0;
  for (let path = folders.pop(); path !== undefined; path = folders.pop())
    for (const name of readdirSync(joinBytePath(folder, path), { encoding: "latin1" }).toSorted()) {
      if (name === ".git") return undefined;
      const below = path === "" ? name : `${path}/${name}`;
      const entry = lstatSync(joinBytePath(folder, below), { bigint: true });
      const { ino, mode, size, mtimeNs, ctimeNs } = entry;
      hash.update([below, ino, mode, size, mtimeNs, ctimeNs].join("\0"));
      if (entry.isDirectory()) folders.push(below);
      seen += 1;
      if (seen % AT_ONCE === 0) await setImmediate();
    }
  return seen === 0 ? undefined : hash.digest("hex");
}
