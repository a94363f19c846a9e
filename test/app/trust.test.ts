import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { AppContext } from "../../src/app/use-case.ts";
import { performAction } from "../../src/app/perform-action.ts";
import { useCases, type UseCaseName } from "../../src/app/use-cases.ts";
import { requireTrust } from "../../src/app/trust.ts";
import { createRuntime } from "../../src/runtime.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";
import { makeContext } from "./make-context.ts";

let root: string;
let context: AppContext;

beforeEach(() => {
  root = join(temporaryFolder(), "project");
  mkdirSync(root);
  execFileSync("git", ["init", "-q"], { cwd: root });
  context = makeContext(root, {
    homeDirectory: join(root, "../home"),
    environment: { PATH: process.env["PATH"], HOME: join(root, "../home") },
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const state = async (): Promise<string> => (await (await useCases["trust show"]()).run(context, {})).state;
const init = async (): Promise<unknown> =>
  (await useCases.init()).run(context, { agent: "claude", isMinimal: false, isDryRun: false, tries: false });
const set = async (key: string, value: string): Promise<unknown> =>
  (await useCases["config set"]()).run(context, { key, value, isUser: false });
const setup = "workspace:\n  setup: touch evil\n";

describe("text that the person's own commands write", () => {
  it("is trusted in a project that named no command before", async () => {
    write("package.json", '{"scripts": {"test": "node test.js"}}');
    await init();
    expect(readFileSync(join(root, "ambit.yaml"), "utf8")).toContain("npm test");
    expect(await state()).toBe("trusted");
    await set("workspace.setup", "npm ci");
    expect(await state()).toBe("trusted");
    await (
      await useCases["mcp install"]()
    ).run(context, { client: "claude", isConfirmed: true, scope: "project" });
    expect(await state()).toBe("trusted");
  });

  it("never makes the content of a clone trusted", async () => {
    write(".claude/settings.json", '{"hooks": {"Stop": "touch evil"}}');
    await init();
    expect(await state()).toBe("unknown");
    await set("verification.test", "npm test");
    expect(await state()).toBe("unknown");
  });

  it("is trusted in a new task too, unlike the tasks of another list or of an imported file", async () => {
    const add = (title: string, command: string) =>
      useCases["task add"]().then((task) =>
        task.run(context, { title, criteria: [`\`${command}\` passes`] }),
      );
    await add("A", "make a");
    expect(await state()).toBe("trusted");
    const foreign = { project_number: 1, title: "T", criteria: ["`make evil` passes"] };
    write("other/state.json", JSON.stringify({ active_projects: [foreign] }));
    await set("tasks.dir", "other");
    expect(await state()).toBe("changed");
    await add("B", "make b");
    expect(await state()).toBe("changed");
    await set("tasks.dir", "specs");
    expect(await state()).toBe("trusted");
    const text = JSON.stringify([{ title: "X", criteria: ["`make evil` passes"] }]);
    await (await useCases["task import"]()).run(context, { text, source: "list.json" });
    expect(await state()).toBe("changed");
  });

  it("never makes changes trusted that the person has not seen", async () => {
    await init();
    await set("workspace.setup", "npm ci");
    write(".mcp.json", '{"mcpServers": {"a": {"command": "evil"}}}');
    await set("verification.test", "npm test");
    const { changes } = await (await useCases["trust show"]()).run(context, {});
    expect(changes.map(({ file, field }) => [file, field])).toEqual([
      ["ambit.yaml", "verification.test"],
      [".mcp.json", "mcpServers"],
    ]);
  });
});

describe("a use case that runs a command of the project", () => {
  /** Every use case that can start or continue work. It checks its input only after the decision about trust. */
  const refused: readonly [UseCaseName, unknown][] = [
    ["run", { story: { title: "Do it", adapter: "command", command: ["true"] } }],
    ["run task", { task: "1", story: {} }],
    ["run prd", { file: "prd.json", story: {} }],
    ["quick", { story: { title: "Do it" } }],
    ["workflow", { command: "research", task: "1" }],
    ["resume", { id: "S-1" }],
    ["retry", { id: "S-1" }],
    ["answer", { id: "S-1", answer: "approved" }],
    ["message send", { to: "S-1", text: "hello", waitSeconds: 0 }],
    ["logs note", { id: "S-1", text: "hello" }],
    ["task divide", { task: "1", prompt: "Divide it" }],
    ["doctor", { fix: true }],
    ["verify", { id: "S-1", rerun: true }],
  ];

  it.each(refused)("is refused to the library in a project that is not trusted: %s", async (name, input) => {
    write("ambit.yaml", setup);
    const { HOME, PATH } = context.environment;
    const runtime = await createRuntime({ directory: root, environment: { HOME, PATH } });
    onTestFinished(() => runtime.close());
    const questions: { ask(name: string, input: unknown): Promise<unknown> } = runtime;
    await expect(questions.ask(name, input)).rejects.toMatchObject({ code: "PROJECT_NOT_TRUSTED" });
  });

  it("is refused to the methods of the library and the buttons of the dashboard", async () => {
    write("ambit.yaml", setup);
    const { HOME, PATH } = context.environment;
    const runtime = await createRuntime({ directory: root, environment: { HOME, PATH } });
    onTestFinished(() => runtime.close());
    const story = { title: "Do it", adapter: "command", command: ["true"] };
    for (const call of [
      () => runtime.run(story),
      () => runtime.start(story),
      () => runtime.workflow({ command: "research", task: "1" }),
      () => runtime.answer("A-1", "approved"),
      () => performAction(context, { kind: "resume", id: "S-1" }),
      () => performAction(context, { kind: "approve", approval: "A-1" }),
    ])
      await expect(call()).rejects.toMatchObject({ code: "PROJECT_NOT_TRUSTED" });
  });

  it("asks once, shows the commands that it would run, and remembers the approval", async () => {
    write("ambit.yaml", setup);
    const asked: unknown[] = [];
    const asking = {
      ...context,
      askTrust: async (check: unknown) => {
        asked.push(check);
        return true;
      },
    };
    expect(await requireTrust(asking)).toBe(true);
    expect(await requireTrust(asking)).toBe(true);
    expect(await requireTrust(context)).toBe(true);
    expect(asked).toMatchObject([
      { state: "unknown", changes: [{ file: "ambit.yaml", field: "workspace.setup", change: "added" }] },
    ]);
  });

  it("remembers neither a rejection nor a permission that a variable gives", async () => {
    write("ambit.yaml", setup);
    const declining = { ...context, askTrust: async () => false };
    await expect(requireTrust(declining)).rejects.toMatchObject({ code: "PROJECT_NOT_TRUSTED" });
    const allowed = { ...context, environment: { ...context.environment, AMBIT_TRUST: "1" } };
    expect(await requireTrust(allowed)).toBe(true);
    await expect(requireTrust(context)).rejects.toMatchObject({
      code: "PROJECT_NOT_TRUSTED",
      message: expect.stringContaining("ambit.yaml workspace.setup: touch evil"),
    });
  });

  it("refuses an answer if the commands have changed since they were shown", async () => {
    write("ambit.yaml", setup);
    const late = {
      ...context,
      askTrust: async () => {
        write("ambit.yaml", "workspace:\n  setup: touch worse\n");
        return true;
      },
    };
    await expect(requireTrust(late)).rejects.toThrow("changed while you were asked");
    expect(await state()).toBe("unknown");
    const accept = (await useCases["trust accept"]()).run(context, { hash: "0" });
    await expect(accept).rejects.toMatchObject({ code: "PROJECT_NOT_TRUSTED" });
  });

  it("needs no decision if the project names no command or has no checkout", async () => {
    expect(await requireTrust(context)).toBe(true);
    const bare = join(root, "../bare.git");
    execFileSync("git", ["init", "-q", "--bare", bare]);
    expect(await requireTrust({ ...context, directory: bare })).toBe(false);
  });
});
