import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { probeArtifacts } from "../../../src/app/check/probe-artifacts.ts";
import { temporaryFolder } from "../../cli/temporary-folder.ts";

describe("artifacts of a return in a project on disk", () => {
  const files = { "project/a.md": "text", "project/none.md": "", "project/full/b.md": "text", "out.md": "x" };

  it("are files with content, and folders that hold something", () => {
    const folder = temporaryFolder(files);
    mkdirSync(join(folder, "project/hollow"));
    const probe = probeArtifacts("project", folder);
    expect(["a.md", "full", "full/b.md", "none.md", "hollow", "missing.md"].map(probe)).toEqual([
      "file",
      "file",
      "file",
      "empty",
      "empty",
      "missing",
    ]);
  });

  it("lie in the project, also where a link leads", () => {
    const folder = temporaryFolder(files);
    symlinkSync("a.md", join(folder, "project/inside"));
    symlinkSync("../out.md", join(folder, "project/outside"));
    symlinkSync("loop", join(folder, "project/loop"));
    const probe = probeArtifacts(join(folder, "project"), "/");
    expect(["inside", "outside", "loop", "../out.md"].map(probe)).toEqual([
      "file",
      "escapes",
      "missing",
      "escapes",
    ]);
  });

  it("are not looked for where there is no folder", () => {
    const folder = temporaryFolder(files);
    for (const root of ["nowhere", "out.md"])
      expect(() => probeArtifacts(root, folder)).toThrow(
        expect.objectContaining({ message: expect.stringContaining(root) }),
      );
  });
});
