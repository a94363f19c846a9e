import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { buildEnvironment } from "../../src/containment/build-environment.ts";
import { SHIM_EXIT_CODE, writeShims } from "../../src/containment/write-shims.ts";

const base = {
  PATH: "/usr/bin",
  HOME: "/home/me",
  LC_ALL: "C",
  TERM: "dumb",
  ANTHROPIC_API_KEY: "secret",
  CLAUDECODE: "1",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  GIT_DIR: "/x/.git",
  NODE_OPTIONS: "--require /x.js",
  LD_PRELOAD: "/x.so",
  npm_config_registry: "x",
  AMBIT_TOKEN: "another worker's",
  AWS_SECRET_ACCESS_KEY: "secret",
  UNSET: undefined,
};

it("passes on the usual names and nothing else", () => {
  expect(buildEnvironment({ base })).toStrictEqual({
    PATH: "/usr/bin",
    HOME: "/home/me",
    LC_ALL: "C",
    TERM: "dumb",
  });
});

it("passes on the names that the caller allows, and sets the values that the caller gives", () => {
  const environment = buildEnvironment({
    base,
    allow: ["ANTHROPIC_API_KEY", "GIT_DIR", "UNSET"],
    set: { AMBIT_TOKEN: "this worker's", PATH: "/shims:/usr/bin" },
  });
  expect(environment).toMatchObject({
    ANTHROPIC_API_KEY: "secret",
    GIT_DIR: "/x/.git",
    AMBIT_TOKEN: "this worker's",
    PATH: "/shims:/usr/bin",
  });
  expect(Object.keys(environment)).not.toContain("UNSET");
});

it("does not let a pattern pass a forbidden name", () => {
  expect(Object.keys(buildEnvironment({ base, allow: ["*"] }))).toStrictEqual([
    "PATH",
    "HOME",
    "LC_ALL",
    "TERM",
    "ANTHROPIC_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
  ]);
});

it("never passes on a name that was not listed", () => {
  const usual = /^(PATH|HOME|LANG|LC_.*|TERM|TZ|TMPDIR|USER|SHELL)$/s;
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (any) => {
      expect(Object.keys(buildEnvironment({ base: any })).filter((name) => !usual.test(name))).toStrictEqual(
        [],
      );
    }),
  );
});

it("the shim of an agent's command refuses to start the agent, with one line", () => {
  const agentProgramNames = ["claude", "cursor-agent"];
  const directory = mkdtempSync(join(tmpdir(), "ambit-shims-"));
  const shims = writeShims(join(directory, "shims"), agentProgramNames);
  expect(readdirSync(shims).toSorted()).toStrictEqual([...agentProgramNames].toSorted());
  for (const name of agentProgramNames) {
    const answer = spawnSync(name, ["-p", "do it"], {
      env: { PATH: `${shims}:/usr/bin:/bin` },
      encoding: "utf8",
    });
    expect(answer.status).toBe(SHIM_EXIT_CODE);
    expect(answer.stdout).toBe("");
    expect(answer.stderr.split("\n")).toStrictEqual([
      expect.stringContaining(`ambit: ${name} is not started`),
      "",
    ]);
  }
  // Writing the shims again repairs them.
  execFileSync("/bin/chmod", ["000", join(shims, "claude")]);
  writeShims(shims, agentProgramNames);
  expect(spawnSync(join(shims, "claude")).status).toBe(97);
  expect(() => writeShims(shims, ["../escape"])).toThrow("cannot be the name of a program");
  rmSync(directory, { recursive: true });
});
