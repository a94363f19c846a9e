import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentInstallation } from "../../src/orchestrator/project/agent-installation.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

describe("the files of an agent program that a sandbox shows", () => {
  it("are all packages it was installed with, and it is started by the file that its link leads to", () => {
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

  it("are the single file if it came without packages", () => {
    const root = realpathSync(temporaryFolder());
    mkdirSync(join(root, "versions"));
    writeFileSync(join(root, "versions/2.1.0"), "");
    symlinkSync(join(root, "versions/2.1.0"), join(root, "claude"));
    const file = join(root, "versions/2.1.0");
    expect(agentInstallation([join(root, "claude")])).toStrictEqual({ argv: [file], readable: [file] });
  });

  it("include the programs that a short script starts by full path, and nothing else that a file mentions", () => {
    const root = realpathSync(temporaryFolder());
    const packed = join(root, "packed/node_modules/pi/cli.js");
    mkdirSync(join(packed, ".."), { recursive: true });
    for (const file of [packed, join(root, "node")]) writeFileSync(file, "");
    const script = join(root, "pi");
    writeFileSync(script, `#!/bin/sh\nexec ${join(root, "node")} ${packed} --of ${root} /nowhere "$@"\n`);
    const readable = [script, join(root, "node"), join(root, "packed/node_modules")];
    expect(agentInstallation([script, "-p"])).toStrictEqual({ argv: [script, "-p"], readable });
    writeFileSync(join(root, "claude"), `binary ${packed}\n`);
    expect(agentInstallation([join(root, "claude")]).readable).toStrictEqual([join(root, "claude")]);
  });

  it("are none for other programs, which keep their name", () => {
    for (const argv of [["/bin/sh", "-c", "true"], ["codex"], []])
      expect(agentInstallation(argv)).toStrictEqual({ argv, readable: [] });
  });

  it("are its own path if it is gone", () => {
    const gone = join(temporaryFolder(), "gemini");
    expect(agentInstallation([gone])).toStrictEqual({ argv: [gone], readable: [gone] });
  });
});
