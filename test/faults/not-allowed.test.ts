import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeProject } from "../e2e/project.ts";
import { cli, runShell } from "../e2e/run-cli.ts";

/** Root may write everywhere unless it gives this right up. */
const asOrdinary = process.getuid?.() === 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search --" : "";

it("doctor says which folder it may not write, with the owner and mode to correct, and checks the rest", async () => {
  const project = makeProject();
  onTestFinished(() => project.remove());
  const folder = join(project.root, ".git");
  chmodSync(folder, 0o500);
  onTestFinished(() => chmodSync(folder, 0o700));
  const doctor = await runShell(`${asOrdinary} ${process.execPath} ${cli} doctor`, {
    directory: project.root,
    home: join(project.root, "../home"),
  });
  expect([doctor.status, doctor.stderr]).toEqual([6, ""]);
  expect(doctor.stdout).toMatch(/✔ git [^]*✖ disk [^]*✔ trust /);
  expect(doctor.stdout).toContain(`${folder} cannot be used: EACCES`);
  expect(doctor.stdout).toContain("Correct its owner or its mode");
});
