import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { probeContainmentWith } from "../../src/containment/probe-containment.ts";
import { launchForTest, sh } from "./launch-for-test.ts";

it("refuses a missing program by name before anything starts", async () => {
  await expect(launchForTest(["no-such-agent"])).rejects.toMatchObject({
    code: "TOOL_UNAVAILABLE",
    message: expect.stringContaining("no-such-agent"),
  });
  await expect(launchForTest([])).rejects.toMatchObject({ code: "TOOL_UNAVAILABLE" });
});

it("refuses a file that cannot be executed, and a folder", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ambit-refuse-"));
  writeFileSync(join(directory, "agent"), "#!/bin/sh\n", { mode: 0o644 });
  await expect(launchForTest([join(directory, "agent")])).rejects.toMatchObject({ code: "TOOL_UNAVAILABLE" });
  await expect(launchForTest([directory])).rejects.toMatchObject({ code: "TOOL_UNAVAILABLE" });
  rmSync(directory, { recursive: true });
});

it("finds the program on the PATH it is given, not on ours", async () => {
  await expect(launchForTest(["sh"], { environment: { PATH: "/nowhere" } })).rejects.toMatchObject({
    code: "TOOL_UNAVAILABLE",
  });
});

it("refuses a missing working folder", async () => {
  await expect(launchForTest(sh("true"), { cwd: "/nowhere/at/all" })).rejects.toMatchObject({
    code: "FILE_NOT_FOUND",
    message: expect.stringContaining("/nowhere/at/all"),
  });
});

it.each(["", "a b", "../x", "x".repeat(65)])("refuses the run id %j", async (runId) => {
  await expect(launchForTest(sh("true"), { runId })).rejects.toMatchObject({ code: "INTERNAL" });
});

it("refuses a tier this machine does not have, and says why", async () => {
  const containment = await probeContainmentWith({
    bubblewrap: null,
    perl: null,
    systemdRun: null,
    systemCalls: null,
  });
  await expect(launchForTest(sh("true"), { tier: "pid-namespace" }, { containment })).rejects.toMatchObject({
    code: "TOOL_UNAVAILABLE",
    message: expect.stringContaining("bubblewrap"),
  });
});

it("reports why a command never ran when only the launcher could find out", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ambit-refuse-"));
  const path = join(directory, "agent");
  writeFileSync(path, "#!/nowhere/interpreter\n", { mode: 0o755 });
  const run = await launchForTest([path], { tier: "subreaper" });
  const facts = await run.exited;
  expect(facts).toMatchObject({ code: 127, reason: "exited" });
  expect(facts.problem).toContain("No such file");
  rmSync(directory, { recursive: true });
});
