import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { removeFolder } from "./remove-folder.ts";
import { cli } from "./run-cli.ts";

describe("the first words of a newcomer", () => {
  let project: Project;
  beforeEach(() => {
    project = makeProject();
  });
  afterEach(() => project.remove());

  it.each([
    ["ps", "ambit status"],
    ["rm", "ambit clean"],
    ["open", "ambit dashboard"],
    ["ls", "ambit list"],
    ["show", "ambit explain"],
    ["kill", "ambit stop"],
    ["undo", "ambit merge --undo"],
  ])("lead to the command that is meant: %s", async (word, command) => {
    const refused = await project.ambit(word);
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`Ambit's word for it: ${command}.`),
    ]);
  });

  it.each([
    [["run", "x", "--timeout", "0", "--", "true"], "--timeout must be at least 1; got 0"],
    [["run", "", "--", "true"], "The story is empty"],
    [["run", "x", "--timeout", "10m", "--", "true"], "Give seconds, for example --timeout 600."],
    [["resume", "x", "--timeout", "99999"], "--timeout must be at most 14400; got 99999"],
    [["run", "x", "--check", "", "--", "true"], "--check is empty"],
    [["quick", "x", "--accept", " ", "--", "true"], "for example --accept 'all tests pass'"],
    [
      ["run", "missing.json", "--", "true"],
      "missing.json does not exist\n  next  One word that ends with .json",
    ],
    [["run", "x", "--depth", "99", "--", "true"], "--depth must be at most 3; got 99"],
  ])("are refused in plain words: %j", async (words, text) => {
    const refused = await project.ambit(...words);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining(text)]);
  });

  it("include list, which shows open, ended and merged stories", async () => {
    expect((await project.ambit("list")).stdout).toBe("Nothing has been delegated here yet.\n");
    for (const id of ["L1", "L2"])
      await project.ambit("run", `Write ${id}`, "--id", id, "--check", `test -f ${id}`, "--", "touch", id);
    await project.ambit(
      "run",
      "Ask",
      "--id",
      "L3",
      "--check",
      "true",
      "--accept",
      "Nice",
      "--",
      "touch",
      "x",
    );
    await project.ambit("merge", "L1", "--yes");
    expect(await project.json("list")).toMatchObject({
      stories: [
        { id: "L3", state: "needs you", is_open: true, merged: null, needs_you: 1 },
        { id: "L2", state: "done", is_open: false, merged: false },
        { id: "L1", state: "done", is_open: false, merged: true },
      ],
      has_more: false,
    });
    const { stdout } = await project.ambit("list");
    expect(stdout).toMatch(
      /^L3 {2}needs you .* Ask\nL2 {2}done +not merged +.* Write L2\nL1 {2}done +merged +.* Write L1\n$/,
    );
    expect((await project.json("list", "--open"))["stories"]).toMatchObject([{ id: "L3" }]);
    expect(await project.json("list", "--limit", "1")).toMatchObject({ has_more: true });
    expect((await project.ambit("list", "--open", "--limit", "1")).stdout).toMatch(/^L3 .* Ask\n$/);
    await project.ambit("stop", "L3");
    expect((await project.ambit("list", "--open")).stdout).toBe("No story is open. The others: ambit list\n");
  });
});

it("init writes a working agent on a machine without any agent program", async () => {
  const programs = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const project = makeProject({ PATH: programs });
  onTestFinished(() => project.remove());
  project.git("rm", "--quiet", "ambit.yaml");
  project.git("commit", "--quiet", "-m", "start");
  const written = await project.ambit("init", "--yes");
  expect(written.status).toBe(0);
  const next = /^ {2}next {2}ambit (.*)$/m.exec(written.stdout)?.[1] ?? "";
  expect(next).toBe("run 'Try it' --agent sample --check 'test -s SAMPLE.md'");
  const words = next.split(/ (?=(?:[^']*'[^']*')*[^']*$)/).map((word) => word.replaceAll("'", ""));
  const ran = await project.ambit(...words, "--id", "I1");
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining("Wrote SAMPLE.md.")]);
  expect(project.git("show", "ambit/I1:SAMPLE.md")).toContain("sample agent");
  expect(ran.stderr).not.toContain("expected:");
});

it.each(["16.20.2", "18.20.8", "20.18.3"])(
  "ambit refuses Node %s at its start and names the version",
  (version) => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-node-"));
    onTestFinished(() => removeFolder(folder));
    const pretend = join(folder, "old.cjs");
    writeFileSync(
      pretend,
      `Object.defineProperty(process, "versions", { value: { node: "${version}" } });\n`,
    );
    const run = spawnSync(process.execPath, ["--require", pretend, cli, "doctor"], { encoding: "utf8" });
    expect([run.status, run.stderr]).toEqual([
      6,
      expect.stringContaining(`needs Node 20.19 or newer; this is ${version}`),
    ]);
  },
);
