import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explainUnexpectedFileTrouble, isWriteTrouble } from "../../src/base/file-trouble.ts";
import { until, type Project } from "../e2e/project.ts";
import { closeStore, readEvents, storeOf } from "./journal-facts.ts";
import { makeProjectOn, MIB, mountDisk, type SmallDisk } from "./small-disk.ts";
import { withMounts } from "./with-mounts.ts";

const writing = [
  ["run", "Second", "--id", "B", "--", "true"],
  ["run", "Second", "--id", "B", "--in-process", "--", "true"],
  ["attach", "A"],
  ["doctor", "--fix"],
];
const reading = [["status"], ["cost", "A"], ["audit", "--verify"], ["supervisor", "status"]];

withMounts(import.meta.url, () => {
  let disk: SmallDisk;
  let project: Project;
  beforeEach(() => {
    disk = mountDisk(24 * MIB);
    project = makeProjectOn(disk);
  });
  afterEach(async () => {
    try {
      await disk.remount("rw");
      await project.remove();
    } finally {
      disk.unmount();
    }
  });

  async function tellStory(): Promise<void> {
    const run = await project.ambit("run", "First", "--id", "A", "--", "sh", "-c", "echo a > made.txt");
    expect(run.status).toBe(3);
    await until("it has left", () => !existsSync(join(project.root, ".git/ambit/supervisor.json")));
  }

  async function expectRefused(place: string): Promise<void> {
    for (const words of writing) {
      const refused = await project.ambit(...words);
      expect([words[0], refused.status]).toEqual([words[0], 6]);
      expect(refused.stderr).toContain(`STORE_UNUSABLE  ${place}`);
      expect(refused.stderr).toMatch(/is on a read-only file system: EROFS.*\n +next +Make it writable/);
    }
  }

  async function expectReadable(): Promise<void> {
    for (const words of reading)
      expect([words[0], (await project.ambit(...words)).status]).toEqual([words[0], 0]);
    expect((await project.ambit("tree", "A")).stdout).toContain("A: First (depth=0) [partial]");
  }

  describe.each(["as a supervisor left it", "as one file, without its log next to it"])(
    "a read-only file system with a store %s",
    (how) => {
      it("refuses commands that must write, with the path and what to do, and reads the rest", async () => {
        await tellStory();
        const events = readEvents(project);
        if (how === "as a supervisor left it") expect(existsSync(`${storeOf(project)}-wal`)).toBe(true);
        else await closeStore(project);
        await disk.remount("ro");
        await expectRefused(join(project.root, ".git/ambit"));
        await expectReadable();
        await disk.remount("rw");
        expect(readEvents(project)).toEqual(events);
        expect((await project.ambit("run", "Second", "--id", "B", "--", "true")).status).toBe(1);
      });
    },
  );

  it("doctor names the read-only file system, and says everything else that it can find out", async () => {
    await tellStory();
    rmSync(join(project.root, ".git/ambit/git"), { recursive: true, force: true });
    await disk.remount("ro");
    const doctor = await project.ambit("doctor");
    expect([doctor.status, doctor.stderr]).toEqual([6, ""]);
    expect(doctor.stdout).toMatch(
      /✔ git [^]*✖ disk .*is on a read-only file system.*\n +next +Make it writable[^]*✔ trust /,
    );
  });

  it("a folder that cannot be created with those above it is reported as on a read-only file system", async () => {
    await disk.remount("ro");
    const folder = join(disk.path, "one/two");
    const error = catchError(() => mkdirSync(folder, { recursive: true }));
    // Control: Node does not say it.
    expect(error).toMatchObject({ code: "ENOENT" });
    expect(isWriteTrouble(error)).toBe(true);
    expect(explainUnexpectedFileTrouble(error)).toMatchObject({
      code: "FILE_NOT_ALLOWED",
      message: expect.stringContaining(`${folder} is on a read-only file system`),
    });
    await disk.remount("rw");
    expect(isWriteTrouble(error)).toBe(false);
  });

  it("status fails if it cannot read all events, and shows no part of them", async () => {
    await tellStory();
    rmSync(`${storeOf(project)}-shm`);
    await disk.remount("ro");
    const status = await project.ambit("status");
    expect(status.status).toBe(6);
    expect(status.stderr).toContain("STORE_UNUSABLE");
  });

  it("a command that must write is refused if only our own folder is read-only, and the rest is read", async () => {
    await tellStory();
    const own = join(project.root, ".git/ambit");
    execFileSync("mount", ["--bind", own, own]);
    try {
      execFileSync("mount", ["-o", "remount,bind,ro", own]);
      await expectRefused(own);
      await expectReadable();
    } finally {
      execFileSync("umount", [own]);
    }
  });

  it("a run in an unused project is refused, and status says that nothing was delegated", async () => {
    await disk.remount("ro");
    const refused = await project.ambit("run", "First", "--id", "A", "--", "true");
    expect(refused.status).toBe(6);
    expect(refused.stderr).toContain(`STORE_UNUSABLE  ${join(project.root, ".git/ambit")} is on a read-only`);
    const status = await project.ambit("status");
    expect([status.status, status.stdout]).toEqual([0, "Nothing has been delegated here yet.\n"]);
  });
});

function catchError(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
