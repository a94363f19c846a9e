import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { modelWarnings, programWarnings } from "../../src/orchestrator/opening/program-warnings.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

function machine(name: string, version: string) {
  const folder = temporaryFolder({ asked: "" });
  writeFileSync(join(folder, name), `#!/bin/sh\necho x >> '${folder}/asked'\necho '${version}'\n`);
  chmodSync(join(folder, name), 0o755);
  const clock = { ...systemClock, now: 0, monotonicMs: () => clock.now };
  const environment = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ANTHROPIC_API_KEY: "key" };
  return { environment, clock, asked: () => readFileSync(join(folder, "asked"), "utf8").length / 2 };
}

const claude = { adapter: "claude", command: [] };

it("warns about a program outside the tested range with the range, and not about one inside it", async () => {
  expect(await programWarnings(machine("claude", "1.0.3 (Claude Code)"), claude)).toEqual([
    "claude 1.0.3 is outside the tested range 2.1.x: what it prints may be misread",
  ]);
  expect(await programWarnings(machine("claude", "2.1.325 (Claude Code)"), claude)).toEqual([]);
});

it("says nothing about a program that the definition names itself, or that has no tested range", async () => {
  const old = machine("claude", "1.0.3");
  expect(await programWarnings(old, { adapter: "claude", command: ["/x/claude"] })).toEqual([]);
  expect(await programWarnings(old, { adapter: "command", command: [] })).toEqual([]);
});

it("probes a program once for several stories, and again two minutes later", async () => {
  const old = machine("claude", "1.0.3");
  for (let story = 0; story < 3; story += 1) expect(await programWarnings(old, claude)).toHaveLength(1);
  expect(old.asked()).toBe(1);
  old.clock.now = 120_000;
  await programWarnings(old, claude);
  expect(old.asked()).toBe(2);
});

it("says that a model has no effect on a program (R132)", () => {
  const program = { adapter: "command" };
  expect(modelWarnings("opus", program)).toEqual(["The model opus is not used: a program does the work"]);
  expect([modelWarnings(undefined, program), modelWarnings("opus", claude)]).toEqual([[], []]);
});
