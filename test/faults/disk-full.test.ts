import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { until, userState, type Project } from "../e2e/project.ts";
import { endsOf, readEvents } from "./journal-facts.ts";
import { makeProjectOn, MIB, mountDisk, type SmallDisk } from "./small-disk.ts";
import { startWorker, type WaitingWorker } from "./waiting-worker.ts";
import { withMounts } from "./with-mounts.ts";

withMounts(import.meta.url, () => {
  let disk: SmallDisk;
  let project: Project;
  let worker: WaitingWorker | undefined;
  beforeEach(() => {
    disk = mountDisk(24 * MIB);
    project = makeProjectOn(disk);
  });
  afterEach(async () => {
    try {
      disk.free();
      worker?.letGo();
      await worker?.ended;
      worker?.remove();
      await project.remove();
    } finally {
      worker = undefined;
      disk.unmount();
    }
  });

  /** All refs except the one that is written a moment after a story has ended. */
  const listRefs = (): readonly string[] =>
    project
      .git("for-each-ref")
      .split("\n")
      .filter((line) => !line.endsWith("refs/ambit/journal/head"));

  it.each([[[]], [["--in-process"]]])(
    "refuses new work while little space is free, with the numbers, and creates nothing (%j)",
    async (words) => {
      expect((await project.ambit("run", "First", "--id", "F1", ...words, "--", "true")).status).toBe(1);
      const before = [userState(project), readEvents(project).length, listRefs()];
      disk.fill(MIB);
      const run = await project.ambit("run", "Second", "--id", "F2", ...words, "--", "true");
      expect(run.status).toBe(6);
      expect(run.stderr).toContain("DISK_FULL");
      expect(run.stderr).toMatch(/ \d+(?:\.\d)? (?:Ki|Mi)B free; this needs at least 1\.2 MiB/);
      expect([userState(project), readEvents(project).length, listRefs()]).toEqual(before);
      expect(listWorkspaces(project.root)).toEqual([]);
      disk.free();
      expect((await project.ambit("run", "Second", "--id", "F2", ...words, "--", "true")).status).toBe(1);
    },
  );

  it("reports a completely full disk before a process starts, and can still read", async () => {
    await project.ambit("run", "First", "--id", "G1", "--", "true");
    await until("it has left", async () => !existsSync(join(project.root, ".git/ambit/supervisor.json")));
    const events = readEvents(project);
    disk.fill();
    for (const words of [
      ["run", "Second", "--id", "G2", "--", "true"],
      ["run", "Second", "--id", "G2", "--in-process", "--", "true"],
      ["doctor", "--fix"],
    ]) {
      const refused = await project.ambit(...words);
      expect([words[0], refused.status]).toEqual([words[0], 6]);
      expect(refused.stderr).toMatch(/DISK_FULL .*ambit-disk-.*\n +next +Free some space/);
    }
    for (const words of [["status"], ["tree", "G1"], ["cost", "G1"], ["audit", "--verify"]])
      expect([words[0], (await project.ambit(...words)).status]).toEqual([words[0], 0]);
    const doctor = await project.ambit("doctor");
    expect([doctor.status, doctor.stderr]).toEqual([6, ""]);
    expect(doctor.stdout).toMatch(
      /✔ git [^]*✖ disk .*free; this needs.*\n +next +Free some space[^]*✔ trust /,
    );
    expect(readEvents(project)).toEqual(events);
    disk.free();
    expect(await project.ambit("doctor", "--fix")).toMatchObject({ status: 0 });
  });

  it("refuses new work, merges and clean-ups where no file can be created, as a full disk", async () => {
    await project.ambit("run", "First", "--id", "I1", "--", "sh", "-c", "echo x > x.txt");
    await project.ambit("supervisor", "stop");
    const before = userState(project);
    disk.fillWithFiles(3);
    for (const words of [
      ["run", "Second", "--id", "I2", "--", "true"],
      ["run", "Second", "--id", "I2", "--in-process", "--", "true"],
      ["merge", "I1", "--partial", "--yes"],
      ["doctor", "--fix"],
      ["task", "add", "Something"],
    ]) {
      const refused = await project.ambit(...words);
      expect([words[0], refused.status, refused.stderr]).toEqual([
        words[0],
        6,
        expect.stringMatching(/DISK_FULL .*\n +next +(?:Free|Remove) some/),
      ]);
      // A command may have started a supervisor, which would still own the project.
      await project.ambit("supervisor", "stop");
    }
    expect(userState(project)).toEqual(before);
    disk.free();
    expect((await project.ambit("merge", "I1", "--partial", "--yes")).status).toBe(0);
  });

  it("pauses a story whose workspace does not fit, leaves nothing half-made, and ends it as a full disk after some tries", async () => {
    writeFileSync(join(project.root, "big.bin"), randomBytes(5 * MIB));
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "big");
    const before = userState(project);
    disk.fill(5 * MIB);
    const run = await project.ambit("run", "Too big", "--id", "W1", "--", "true");
    expect(run.status).toBe(6);
    expect(run.stdout).toContain("DISK_FULL");
    expect(endsOf(project, "W1")).toMatchObject([{ outcome: "failed", code: "DISK_FULL" }]);
    expect(readNotes(project)).toContainEqual(expect.stringContaining("It is paused"));
    expect(userState(project)).toEqual(before);
    expect(listWorkspaces(project.root)).toEqual([]);
    expect(project.git("worktree", "list").trimEnd().split("\n")).toHaveLength(1);
    expect(project.git("branch", "--list", "delegation/*")).toBe("");
    expect(await project.json("doctor")).toMatchObject({ ok: true });
    disk.free();
    expect((await project.ambit("run", "Fits", "--id", "W2", "--", "true")).status).toBe(1);
  });

  it("pauses a worker that filled the disk, keeps its work when there is room, and continues by itself", async () => {
    const before = userState(project);
    worker = startWorker(project, {
      id: "H1",
      first: bigWork,
      second: `echo more > more.txt && ${completed}`,
    });
    await worker.isWaiting();
    disk.fill();
    worker.letGo();
    await until("it is paused", () => readNotes(project).some((note) => note.includes("It is paused")));
    expect(endsOf(project, "H1")).toEqual([]);
    expect((await project.ambit("explain", "H1")).stdout).toContain("It is paused until the disk has room");
    expect(await project.ambit("audit", "--verify")).toMatchObject({ status: 0 });
    expect(existsSync(join(`${project.root}.worktrees`, "ambit/workspaces/H1/half.txt"))).toBe(true);

    disk.free();
    const run = await worker.ended;
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining("completed")]);
    expect(project.git("show", "ambit/H1:half.txt")).toBe("half\n");
    expect(project.git("show", "ambit/H1:more.txt")).toBe("more\n");
    expect(endsOf(project, "H1")).toMatchObject([{ outcome: "completed" }]);
    expect(userState(project)).toEqual(before);
  });

  it("does not complete work whose newest files cannot be kept before there is room, and does not repeat it", async () => {
    worker = startWorker(project, { id: "N1", second: `${tooBig}; echo new > new.txt; ${completed}` });
    await worker.isWaiting();
    disk.fill(9 * MIB);
    worker.letGo();
    await until("it is paused", () => readNotes(project).some((note) => note.includes("It is paused")));
    expect(endsOf(project, "N1")).toEqual([]);
    disk.free();
    expect((await worker.ended).status).toBe(0);
    expect(project.git("show", "ambit/N1:new.txt")).toBe("new\n");
    expect(project.git("cat-file", "-s", "ambit/N1:big.bin").trim()).toBe("5000000");
    expect(readEvents(project).filter(({ type }) => type === "attempt-started")).toHaveLength(1);
  });

  it("checks work again if its check failed while the disk was full", async () => {
    const check = `test "$(stat -f -c %a ${disk.path})" -gt 300`;
    worker = startWorker(project, {
      id: "K1",
      first: "echo k > k.txt",
      second: completed,
      words: ["--check", check],
    });
    await worker.isWaiting();
    disk.fill(MIB - 65_536);
    worker.letGo();
    await until("it is paused", () => readNotes(project).some((note) => note.includes("It is paused")));
    expect(endsOf(project, "K1")).toEqual([]);
    disk.free();
    expect((await worker.ended).status).toBe(0);
    expect(endsOf(project, "K1")).toMatchObject([{ outcome: "completed" }]);
  });

  it("stops paused work on request", async () => {
    worker = startWorker(project, { id: "X1", second: "exit 1" });
    await worker.isWaiting();
    disk.fill();
    worker.letGo();
    await until("it is paused", () => readNotes(project).some((note) => note.includes("It is paused")));
    expect((await project.ambit("stop", "X1", "--yes")).status).toBe(0);
    expect(endsOf(project, "X1")).toMatchObject([{ outcome: "cancelled" }]);
    disk.free();
    // The supervisor could not free the workspace. It stays until there is room, and then frees it.
    const folder = join(`${project.root}.worktrees`, "ambit/workspaces/X1");
    await until("its workspace is freed", () => !existsSync(folder));
    await worker.ended;
    expect((await project.ambit("supervisor", "stop")).status).toBe(0);
    const doctor = await project.ambit("doctor");
    expect([doctor.status, doctor.stdout]).toEqual([0, expect.not.stringContaining("✖")]);
  });
});

const completed = `printf '{"status":"completed","summary":"Done. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;
/** So large that a second copy, as an object of git, does not fit. */
const tooBig = "head -c 5000000 /dev/urandom > big.bin";
const bigWork = "echo half > half.txt; [ -e big.bin ] || head -c 8000000 /dev/urandom > big.bin";

function readNotes(project: Project): readonly string[] {
  return readEvents(project).flatMap((event) =>
    event.type === "note-added" ? [String(event.data["text"])] : [],
  );
}

/** The folder next to the project is removed when it is empty. */
function listWorkspaces(root: string): readonly string[] {
  const folder = join(`${root}.worktrees`, "ambit/workspaces");
  return existsSync(folder) ? readdirSync(folder) : [];
}
