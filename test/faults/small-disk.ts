import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeProject, until, type Project } from "../e2e/project.ts";

/** A file system of its own, in memory. Mounting needs root: see `withMounts`. */
export interface SmallDisk {
  readonly path: string;
  /** Fills the disk except for this many bytes. */
  readonly fill: (leaveBytes?: number) => void;
  readonly free: () => void;
  /** Leaves room for this many more files of any size. */
  readonly fillWithFiles: (leaveFiles: number) => void;
  /** Waits for the last file that is open for writing. */
  readonly remount: (mode: "ro" | "rw") => Promise<void>;
  readonly unmount: () => void;
}

export const MIB: number = 1024 * 1024;

export function mountDisk(bytes: number): SmallDisk {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "ambit-disk-")));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},nr_inodes=4000`, "ambit-test", path]);
  const ballast = join(path, "ballast");
  return {
    path,
    fill: (leaveBytes = 0) => {
      takeAll(ballast);
      if (leaveBytes > 0) truncateSync(ballast, statSync(ballast).size - leaveBytes);
    },
    free: () => rmSync(ballast, { force: true, recursive: true }),
    fillWithFiles: (leaveFiles) => {
      mkdirSync(ballast);
      // The number is read each time, because other processes may use the disk meanwhile.
      for (let index = 0; statfsSync(path).ffree > leaveFiles; index += 1)
        writeFileSync(join(ballast, `${index}`), "");
    },
    // A bind mount may be remounted in a user namespace, too.
    remount: (mode) =>
      until(`remounted ${mode}`, () => succeeds("mount", "-o", `remount,bind,${mode}`, path)),
    unmount: () => {
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** A project on that disk, with its home folder. */
export function makeProjectOn(disk: SmallDisk, environment: Readonly<Record<string, string>> = {}): Project {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = disk.path;
  try {
    return makeProject(environment);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}

function succeeds(program: string, ...words: string[]): boolean {
  return spawnSync(program, words).status === 0;
}

function takeAll(file: string): void {
  const descriptor = openSync(file, "a");
  try {
    for (const size of [MIB, 4096]) takeInSteps(descriptor, Buffer.alloc(size));
  } finally {
    closeSync(descriptor);
  }
}

function takeInSteps(descriptor: number, bytes: Buffer): void {
  try {
    for (;;) if (writeSync(descriptor, bytes) < bytes.length) return;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
