import { expect, it, vi } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { folderWith, temporaryFolder } from "./temporary-project.ts";

vi.mock("yaml", () => {
  throw new Error("the YAML library was loaded");
});

it("loads the YAML library only if there is a file to read, because every command starts here", async () => {
  const [projectRoot, homeDirectory] = [temporaryFolder(), temporaryFolder()];
  await expect(
    loadConfig({ environment: { MAX_DELEGATION_DEPTH: "1" }, projectRoot, homeDirectory }),
  ).resolves.toBeDefined();
  const withFile = folderWith({ "ambit.yaml": "version: 1\n" });
  await expect(loadConfig({ environment: {}, projectRoot: withFile })).rejects.toThrow();
});
