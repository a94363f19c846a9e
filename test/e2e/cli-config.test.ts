import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listFiles, temporaryFolder, temporaryRepository } from "../cli/temporary-folder.ts";
import { runCli, type CliCall } from "./run-cli.ts";

const commented = "# ours\ndelegation:\n  maxDepth: 1   # shallow\n\ntasks: {dir: specs}\n";

describe("ambit config set", () => {
  it("changes one value and leaves every other byte of the file and folder (R113)", async () => {
    const call = repositoryWith({ "ambit.yaml": commented, "other.txt": "x" });
    const before = listFiles(call.directory);
    const { status, stdout } = await runCli(["config", "set", "delegation.maxDepth", "2", "--json"], call);
    expect(status).toBe(0);
    const file = join(call.directory, "ambit.yaml");
    expect(JSON.parse(stdout)).toStrictEqual({
      schema: "ambit/v1",
      key: "delegation.maxDepth",
      value: 2,
      previous: 1,
      file,
    });
    expect(readFileSync(file, "utf8")).toBe(commented.replace("maxDepth: 1", "maxDepth: 2"));
    const changed = listFiles(call.directory).filter((line) => !before.includes(line));
    expect(changed.map((line) => line.split(":")[0])).toStrictEqual(["ambit.yaml"]);
  });

  it("creates a missing file at the root of the repository", async () => {
    const call = repositoryWith({ "deep/down/file": "" });
    const { stdout } = await runCli(
      ["config", "set", "delegation.cost.perStoryUsd", "5", "-C", "deep/down"],
      call,
    );
    expect(stdout).toContain("✔ delegation.cost.perStoryUsd is 5 in ");
    expect(readFileSync(join(call.directory, "ambit.yaml"), "utf8")).toContain("perStoryUsd: 5");
    expect((await runCli(["config", "get", "delegation.cost.perStoryUsd"], call)).stdout).toBe("5\n");
  });

  it("writes the user's own file with --user, and the named one with --config", async () => {
    const call = repositoryWith();
    await runCli(["config", "set", "--user", "delegation.maxDepth", "1"], call);
    expect(readFileSync(join(call.home, ".config/ambit/config.yaml"), "utf8")).toContain("maxDepth: 1");
    await runCli(["config", "set", "delegation.maxDepth", "0", "--config", "mine.yaml"], call);
    expect(readFileSync(join(call.directory, "mine.yaml"), "utf8")).toContain("maxDepth: 0");
  });

  it("accepts lists and maps by comma or in JSON, and reads the output of config get", async () => {
    const call = repositoryWith();
    const values = [
      ["workspace.include", '["a", "b,c"]', ["a", "b,c"]],
      ["workspace.include", "a,.env", ["a", ".env"]],
      ["workspace.env.set", '{"A":"x,y"}', { A: "x,y" }],
      ["workspace.env.set", "A=1,B=two", { A: "1", B: "two" }],
    ] as const;
    for (const [key, text, value] of values) {
      const set = await runCli(["config", "set", key, text, "--json"], call);
      expect(JSON.parse(set.stdout)).toMatchObject({ key, value });
      const shown = (await runCli(["config", "get", key], call)).stdout.trim();
      const again = await runCli(["config", "set", key, shown, "--json"], call);
      expect(JSON.parse(again.stdout)).toMatchObject({ value, previous: value });
    }
  });

  it("outside a repository ends with 6 and writes nothing", async () => {
    const call = { directory: temporaryFolder(), home: temporaryFolder() };
    const { status, stderr } = await runCli(["config", "set", "delegation.maxDepth", "1"], call);
    expect(status).toBe(6);
    expect(stderr).toMatch(/^✖ NOT_A_REPOSITORY /);
    expect([listFiles(call.directory), listFiles(call.home)]).toStrictEqual([[], []]);
  });

  it("says if a stronger layer overrules the new value", async () => {
    const call = { ...repositoryWith(), environment: { MAX_DELEGATION_DEPTH: "3" } };
    const { status, stderr } = await runCli(["config", "set", "delegation.maxDepth", "1"], call);
    expect(status).toBe(0);
    expect(stderr).toBe("⚠ MAX_DELEGATION_DEPTH is stronger and sets delegation.maxDepth to 3\n");
  });
});

describe("a setting that names an agent", () => {
  it("is written with a warning if that agent is not defined, and config check repeats it", async () => {
    const call = repositoryWith();
    const warning = /^⚠ agents\.default names painter, which is not defined: ambit agents list .+\n$/;
    const set = await runCli(["config", "set", "agents.default", "painter"], call);
    expect([set.status, set.stderr]).toEqual([0, expect.stringMatching(warning)]);
    expect((await runCli(["config", "set", "delegation.maxDepth", "1"], call)).stderr).toBe("");
    const check = await runCli(["config", "check"], call);
    expect([check.status, check.stderr]).toEqual([0, expect.stringMatching(warning)]);
    expect((await runCli(["config", "set", "agents.default", "claude"], call)).stderr).toBe("");
  });
});

describe("ambit config list, schema and path", () => {
  it("lists every setting with its origin (R109)", async () => {
    const call = {
      ...repositoryWith({ "ambit.yaml": commented }),
      environment: { MAX_DELEGATIONS_PER_STORY: "7" },
    };
    const { stdout } = await runCli(["config", "list", "--json"], call);
    const { settings } = JSON.parse(stdout);
    expect(settings).toContainEqual({
      key: "delegation.maxDepth",
      value: 1,
      origin: "ambit.yaml:3",
      layer: "project",
    });
    expect(settings).toContainEqual({
      key: "delegation.maxDelegationsPerStory",
      value: 7,
      origin: "MAX_DELEGATIONS_PER_STORY",
      layer: "environment",
    });
    const text = (await runCli(["config", "list"], call)).stdout;
    expect(text).toMatch(/^delegation\.maxDepth +1 +ambit\.yaml:3$/m);
    expect(text).toMatch(/^workspace\.include +\[\] +default$/m);
    expect(text.trimEnd().split("\n")).toHaveLength(settings.length + 1);
  });

  it("prints only the schema as text, and with --json inside the document", async () => {
    const call = repositoryWith();
    const schema = JSON.parse((await runCli(["config", "schema"], call)).stdout);
    expect(schema).toMatchObject({ title: "ambit.yaml", type: "object" });
    const document = JSON.parse((await runCli(["config", "schema", "--json"], call)).stdout);
    expect(document).toStrictEqual({ schema: "ambit/v1", json_schema: schema });
  });

  it("names the files it reads, and whether they exist", async () => {
    const call = repositoryWith({ "ambit.yaml": commented });
    const { files } = JSON.parse((await runCli(["config", "path", "--json"], call)).stdout);
    expect(files).toStrictEqual([
      { layer: "project", path: join(call.directory, "ambit.yaml"), exists: true },
      { layer: "project", path: join(call.directory, ".ambit/delegation-config.json"), exists: false },
      { layer: "user", path: join(call.home, ".config/ambit/config.yaml"), exists: false },
    ]);
  });
});

function repositoryWith(files: Readonly<Record<string, string>> = {}): CliCall {
  return { directory: temporaryRepository(files), home: temporaryFolder() };
}
