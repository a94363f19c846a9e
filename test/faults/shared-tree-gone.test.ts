import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeProject } from "../e2e/project.ts";
import { startWorker } from "./waiting-worker.ts";
import { withMounts } from "./with-mounts.ts";

withMounts(import.meta.url, () => {
  it("a worker whose shared tree is deleted is ended, and what it wrote is kept with all other files", async () => {
    const project = makeProject();
    project.write("b.txt", "two\n");
    project.write("c/d.txt", "three\n");
    project.git("add", "-A");
    project.git("commit", "--quiet", "-m", "more files");
    const change = "echo half > half.txt; echo more >> a.txt; rm b.txt";
    const worker = startWorker(project, { id: "T1", first: change });
    try {
      await worker.isWaiting();
      rmSync(join(`${project.root}.worktrees`, "ambit/templates"), { recursive: true });
      // It was ended: nothing has let it go.
      expect((await worker.ended).status).toBe(3);
      expect(project.git("show", "delegation/T1:half.txt")).toBe("half\n");
      expect(project.git("diff", "--name-status", "refs/ambit/base/T1", "delegation/T1")).toBe(
        "M\ta.txt\nD\tb.txt\nA\thalf.txt\n",
      );
      await project.ambit("supervisor", "stop");
      expect(await project.json("doctor")).toMatchObject({ ok: true });
    } finally {
      worker.letGo();
      await worker.ended;
      worker.remove();
      await project.remove();
    }
  });
});
