import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findTaskFolder } from "../../src/config/find-task-folder.ts";
import { folderWith, refusalOf, temporaryFolder } from "./temporary-project.ts";

describe("the folder of the tasks", () => {
  it("is specs unless a file says otherwise", async () => {
    const homeDirectory = temporaryFolder();
    for (const text of ["", "version: 1\n", "tasks:\n", "# tasks are in specs\n"]) {
      const projectRoot = folderWith({ "ambit.yaml": text });
      expect(await findTaskFolder({ projectRoot, homeDirectory, environment: {} })).toBe("specs");
    }
    const projectRoot = temporaryFolder();
    expect(await findTaskFolder({ projectRoot, environment: {} })).toBe("specs");
  });

  it("is that of the project, of the user, or of the file that is named", async () => {
    const homeDirectory = folderWith({ ".config/ambit/config.yaml": "tasks:\n  dir: mine\n" });
    const plain = temporaryFolder();
    expect(await findTaskFolder({ projectRoot: plain, homeDirectory, environment: {} })).toBe("mine");
    const projectRoot = folderWith({
      "ambit.yaml": '"\\x74asks": { dir: work }\n',
      "other.yaml": "version: 1\n",
    });
    expect(await findTaskFolder({ projectRoot, homeDirectory, environment: {} })).toBe("work");
    const configFile = join(projectRoot, "other.yaml");
    expect(await findTaskFolder({ projectRoot, configFile, environment: {} })).toBe("specs");
  });

  it("is unknown if a file cannot be read, with the reason", async () => {
    const projectRoot = temporaryFolder();
    mkdirSync(join(projectRoot, "ambit.yaml"));
    expect(await refusalOf(findTaskFolder({ projectRoot, environment: {} }))).toMatchObject({
      code: "INPUT_UNREADABLE",
      message: "ambit.yaml: not a regular file",
    });
    const configFile = join(projectRoot, "missing.yaml");
    expect(await refusalOf(findTaskFolder({ projectRoot, configFile, environment: {} }))).toMatchObject({
      code: "INPUT_UNREADABLE",
      message: `${configFile}: does not exist`,
    });
  });
});
