import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { userState, type Project } from "../e2e/project.ts";
import { makeProjectOn, MIB, mountDisk, type SmallDisk } from "./small-disk.ts";
import { withMounts } from "./with-mounts.ts";

const KIB = 1024;
const merge = ["merge", "M1", "--yes"];

withMounts(import.meta.url, () => {
  let disk: SmallDisk;
  let project: Project;
  let bin: string;

  beforeEach(async () => {
    disk = mountDisk(24 * MIB);
    bin = mkdtempSync(join(tmpdir(), "ambit-git-"));
    project = makeProjectOn(disk, { PATH: `${bin}:${process.env["PATH"] ?? ""}` });
    const work = "echo new > new.txt; echo two > a.txt";
    const words = ["run", "Work", "--id", "M1", "--check", "test -f new.txt", "--", "sh", "-c", work];
    expect((await project.ambit(...words)).status).toBe(0);
    await project.ambit("supervisor", "stop");
  });
  afterEach(async () => {
    try {
      disk.free();
      await project.remove();
    } finally {
      rmSync(bin, { recursive: true });
      disk.unmount();
    }
  });

  const isLocked = (): boolean => existsSync(join(project.root, ".git/index.lock"));
  const listMergeFindings = async (): Promise<readonly unknown[]> => {
    const { findings } = await project.json("doctor");
    return Array.isArray(findings) ? findings.filter(({ name }) => name === "merge") : [];
  };

  it("refuses a merge for which there is no room, and changes nothing", async () => {
    const before = userState(project);
    for (const size of [4, 16, 36, 48, 56, 128, 512, 900]) {
      disk.fill(size * KIB);
      const refused = await project.ambit(...merge);
      expect([size, refused.status, refused.stderr]).toEqual([size, 6, expect.stringContaining("DISK_FULL")]);
      expect([size, isLocked(), userState(project)]).toEqual([size, false, before]);
      disk.free();
      expect(await listMergeFindings()).toEqual([]);
    }
    expect((await project.ambit(...merge)).status).toBe(0);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  it("undoes a merge, or names the command that completes it, if the disk fills up in the middle", async () => {
    const before = userState(project);
    fillWhenFilesMoved("update-index -q --refresh");
    const cut = await project.ambit(...merge);
    expect([cut.status, cut.stderr]).toEqual([
      6,
      expect.stringMatching(/DISK_FULL .*was interrupted halfway/),
    ]);
    expect(cut.stderr).toContain("`ambit merge M1 --yes`");
    rmSync(join(bin, "git"));
    expect(await listMergeFindings()).toMatchObject([
      {
        ok: false,
        detail: "The merge of M1 into main was interrupted",
        next: "Complete it: ambit merge M1 --yes",
      },
    ]);
    disk.free();
    expect((await project.ambit(...merge)).status).toBe(0);
    expect([project.git("status", "--porcelain"), isLocked()]).toEqual(["", false]);
    expect(await listMergeFindings()).toEqual([]);
    expect((await project.ambit("merge", "M1", "--undo", "--yes")).status).toBe(0);
    expect(project.git("show", "HEAD:a.txt")).toBe("one\n");
    expect({ ...Object(userState(project)), index: "" }).toEqual({ ...Object(before), index: "" });
  });

  function fillWhenFilesMoved(words: string): void {
    const fill = `dd if=/dev/zero of=${disk.path}/ballast bs=4096 2>/dev/null`;
    const isMoving = `[ -e ${project.root}/new.txt ]`;
    const script = `#!/bin/sh\ncase "$*" in *"${words}") ${isMoving} && ${fill};; esac\nexec /usr/bin/git "$@"\n`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  }
});
