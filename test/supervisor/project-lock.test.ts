import { setTimeout as delay } from "node:timers/promises";
import { dirname } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { tryExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { asProjectOwner, ownProject } from "../../src/supervisor/project-lock.ts";
import { supervisorFiles } from "../../src/supervisor/supervisor-files.ts";
import { makeProject } from "../e2e/project.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

function openProject() {
  const { root } = makeProject();
  onTestFinished(() => removeFolder(dirname(root)));
  return { projectRoot: root, version: "1.2.3" };
}

it("an action waits for a process that has removed its note and is about to free the project", async () => {
  const project = openProject();
  ownProject(project).release();
  const held = tryExclusiveLock(supervisorFiles(project.projectRoot).lock);
  const action = asProjectOwner(project, () => Promise.resolve("done"));
  await delay(100);
  held?.release();
  expect(await action).toBe("done");
});

it("an action is refused at once while another process owns the project", async () => {
  const project = openProject();
  const owned = ownProject(project);
  const action = asProjectOwner(project, () => Promise.resolve("done"));
  await expect(action).rejects.toMatchObject({ code: "SUPERVISOR_RUNNING" });
  owned.release();
});
