import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentInstallation } from "../../src/orchestrator/project/agent-installation.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

describe("what a sandbox has to show of an agent program", () => {
  it("is all packages it was installed with, and it starts by the file its name leads to", () => {
    const root = realpathSync(temporaryFolder());
    const file = join(root, "lib/node_modules/@openai/codex/bin/codex.js");
    mkdirSync(join(file, ".."), { recursive: true });
    mkdirSync(join(root, "bin"));
    writeFileSync(file, "");
    symlinkSync(file, join(root, "bin/codex"));
    expect(agentInstallation([join(root, "bin/codex"), "exec", "-"])).toStrictEqual({
      argv: [file, "exec", "-"],
      readable: [join(root, "lib/node_modules")],
    });
  });

  it("is the one file where it came without packages", () => {
    const root = realpathSync(temporaryFolder());
    mkdirSync(join(root, "versions"));
    writeFileSync(join(root, "versions/2.1.0"), "");
    symlinkSync(join(root, "versions/2.1.0"), join(root, "claude"));
    const file = join(root, "versions/2.1.0");
    expect(agentInstallation([join(root, "claude")])).toStrictEqual({ argv: [file], readable: [file] });
  });

  it("is nothing for other programs, which keep their name", () => {
    for (const argv of [["/bin/sh", "-c", "true"], ["codex"], []])
      expect(agentInstallation(argv)).toStrictEqual({ argv, readable: [] });
  });

  it("is its own name when it is gone", () => {
    const gone = join(temporaryFolder(), "gemini");
    expect(agentInstallation([gone])).toStrictEqual({ argv: [gone], readable: [gone] });
  });
});
