import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { until } from "../e2e/project.ts";
import { it } from "./open-runtime.ts";

it("an agent that a worker starts by its path is reported, and the worker's own processes are not", async ({
  open,
}) => {
  const runtime = await open();
  const go = runtime.signal("go");
  const folder = join(dirname(runtime.project.root), "programs");
  mkdirSync(folder);
  for (const name of ["codex", "claude", "other"]) {
    const lines = ["#!/bin/sh", `until [ -e '${go}' ]; do sleep 0.05; done`, ""];
    writeFileSync(join(folder, name), lines.join("\n"), { mode: 0o755 });
  }
  const program = `
    const { spawn } = require("node:child_process");
    const shell = (name) => spawn("sh", ["-c", ${JSON.stringify(folder)} + "/" + name + "; true"]);
    const all = [shell("codex"), shell("other"), spawn(${JSON.stringify(join(folder, "claude"))})];
    Promise.all(all.map((one) => new Promise((resolve) => one.on("exit", resolve)))).then(() => process.exit(0));
  `;
  const command = [process.execPath, "-e", program];
  const id = await runtime.engine.openStory({
    id: "N-1",
    title: "Start agents",
    adapter: "command",
    command,
  });
  const seen = (): readonly object[] =>
    runtime.told(id, "limit-warned").filter(({ code }) => code === "AGENT_STARTED_AGENTS");
  await until("the agent to be seen", () => seen().length > 0);
  runtime.open(go);
  await runtime.engine.whenEnded(id);
  expect(seen()).toEqual([
    { code: "AGENT_STARTED_AGENTS", message: expect.stringContaining(join(folder, "codex")) },
  ]);
});
