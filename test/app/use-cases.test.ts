import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { isUseCaseName, useCases, type UseCaseName } from "../../src/app/use-cases.ts";
import { createRuntime, type Questions, type Runtime } from "../../src/runtime.ts";
import { makeProject, type Project } from "../e2e/project.ts";

const names = Object.keys(useCases).filter(isUseCaseName);

describe("the table of use cases", () => {
  it.each(names)("%s describes its input and its output", async (name) => {
    const { input, output, run } = await useCases[name]();
    expect(run).toBeTypeOf("function");
    for (const schema of [input(), output()])
      expect(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })).toBeTypeOf("object");
  });
});

describe("the library", () => {
  let project: Project;
  let runtime: Runtime;
  beforeAll(async () => {
    project = makeProject();
    const environment = { PATH: process.env["PATH"], HOME: dirname(project.root) };
    runtime = await createRuntime({ directory: project.root, environment });
  });
  afterAll(async () => {
    await runtime.close();
    await project.remove();
  });

  it("knows every use case by its name and type", () => {
    expectTypeOf<keyof Questions>().toEqualTypeOf<UseCaseName>();
    expectTypeOf<Questions["task list"]["answer"]["count"]>().toEqualTypeOf<number>();
  });

  it.each(names)("offers %s, and checks its input before anything happens", async (name) => {
    const unknownField = JSON.parse('{"no-such-field": true}');
    await expect(runtime.ask(name, unknownField)).rejects.toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ code: "unrecognized_keys" })]),
    });
  });

  it("runs a use case and returns its output", async () => {
    expect(await runtime.ask("task list", {})).toEqual({ tasks: [], count: 0, total: 0 });
    expect(await runtime.ask("check depth", { caller: 1, max: 2 })).toMatchObject({ allowed: true });
  });

  it("has a guide that names every use case", () => {
    const guide = readFileSync("docs/guides/library.md", "utf8");
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Files of the root that are not use cases: the table, and files that only one surface needs. */
const faces: readonly string[] = [
  "use-case.ts",
  "use-cases.ts",
  "output-schemas.ts",
  // The dashboard.
  "project-views.ts",
  "view-types.ts",
  "perform-action.ts",
  "metrics-key.ts",
  "prepare-dashboard.ts",
  "read-health.ts",
  "read-work-diff.ts",
  "story-work.ts",
  // MCP.
  "runtime-link.ts",
  // The command line.
  "completion-values.ts",
  "demo.ts",
  "first-steps.ts",
  "internal-programs.ts",
  "mcp-client-names.ts",
  "model-server.ts",
  "notify-mode.ts",
  "story-pictures.ts",
  "story-view.ts",
  "symptoms.ts",
  "task-words.ts",
  "worker.ts",
];

it("the root of src/app has only use cases of the table, apart from a short list of other files", () => {
  const files = readdirSync("src/app").filter((name) => name.endsWith(".ts"));
  const table = readFileSync("src/app/use-cases.ts", "utf8");
  const others = files.filter((name) => !table.includes(`import("./${name}")`));
  expect(others.toSorted()).toEqual(faces.toSorted());
  for (const name of files.filter((file) => !faces.includes(file)))
    expect(readFileSync(join("src/app", name), "utf8"), name).toContain("defineUseCase({");
});
