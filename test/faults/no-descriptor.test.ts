import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

it("goes on when no descriptor is left for a program that it starts, and trusts no unknown caller", () => {
  const folder = mkdtempSync(join(tmpdir(), "ambit-descriptors-"));
  try {
    const program = ["scripts/run-ts.mjs", "test/faults/use-no-descriptor.ts", folder];
    const { status, stdout, stderr } = spawnSync(
      "/usr/bin/prlimit",
      ["--nofile=256", process.execPath, ...program],
      { encoding: "utf8" },
    );
    expect([status, stdout], stderr).toStrictEqual([
      0,
      JSON.stringify({ isWorker: true, git: "GIT_FAILED" }),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
