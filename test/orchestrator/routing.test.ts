import { describe, expect } from "vitest";
import { continueDelegation } from "../../src/orchestrator/follow-up.ts";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { makeProject, type Project } from "../e2e/project.ts";
import { fakeClaude, installFake, runsOf, said, type FakeRun } from "./fake-claude.ts";
import { it as base, runtimeOptions, useRuntime, type TestRuntime } from "./open-runtime.ts";
import { delegate, done, say } from "./steps.ts";

const works: FakeRun = { prints: [said.init, said.result("Done.")], returns: "Worked. Well." };

/** A machine on which these agent programs are installed, and no others. */
const it = base.extend<{
  readonly machine: (
    programs: Readonly<Record<string, readonly FakeRun[]>>,
    settings?: string,
  ) => Promise<TestRuntime>;
}>({
  machine: async ({ onTestFinished }, use) => {
    await use(async (programs, settings = "") => {
      const project = makeProject();
      if (settings !== "") project.write("ambit.yaml", settings);
      const options = runtimeOptions(project);
      const folders = Object.entries(programs).map(([name, runs]) => installFake(project, name, runs));
      const environment = { ...options.environment, PATH: [...new Set(folders), "/usr/bin:/bin"].join(":") };
      const nothing = (): void => undefined;
      const opened = await openProjectRuntime({
        ...options,
        environment,
        onQuiet: nothing,
        onShutdown: nothing,
      });
      const runtime = useRuntime(project, opened);
      onTestFinished(() => runtime.close());
      return runtime;
    });
  },
});

const notes = (runtime: TestRuntime, id: string): string =>
  runtime
    .told(id, "note-added")
    .map(({ text }) => text)
    .join("\n");

const prefer = (provider: string, more: object = {}) =>
  delegate([{ description: `Work for ${provider}`, preferred_provider: provider, ...more }]);

describe.concurrent("a preferred provider (R4)", () => {
  it("is served by its program if that is installed, with the model it names", async ({ machine }) => {
    const runtime = await machine({ claude: [works] });
    await runtime.run("P1", { begin: [prefer("claude-opus")], results: [done()] });
    const worker = await runtime.read("P1-DEL-001");
    expect(worker).toMatchObject({ outcome: "completed", agent: "claude", summary: "Worked. Well." });
    expect(worker.work).toMatchObject({ adapter: "claude", model: "opus" });
  });

  it("that is missing or unknown is reported, and the project's own agent does the work", async ({
    machine,
  }) => {
    const runtime = await machine({ claude: [works] }, "agents:\n  default: helper\n");
    runtime.agent("helper", [done("Helped. Done.")]);
    const tasks = ["gpt-4o", "nobody-at-all"].map((provider) => ({
      description: `Work for ${provider}`,
      preferred_provider: provider,
    }));
    await runtime.run("P2", { begin: [delegate(tasks)], results: [done()] });
    for (const id of ["P2-DEL-001", "P2-DEL-002"])
      expect(await runtime.read(id)).toMatchObject({ outcome: "completed", agent: "helper" });
    expect(notes(runtime, "P2-DEL-001")).toContain(
      "preferred_provider gpt-4o: codex is not installed; helper",
    );
    expect(notes(runtime, "P2-DEL-002")).toContain("unknown provider");
  });

  it("causes no cycle below a manager that is driven by the same program", async ({ machine }) => {
    const runtime = await machine({
      claude: [{ prints: [said.init, said.result("I hand out.\n\n[delegate:A part:2]")] }, works],
    });
    const story = await runtime.engine.whenEnded(
      await runtime.engine.openStory({ id: "P3", title: "Top", agent: "claude" }),
    );
    expect(story).toMatchObject({ outcome: "completed", agent: "claude" });
    const direct = await runtime.engine.whenEnded("P3-DEL-001");
    expect(direct.work?.adapter).toBe("claude");
    expect(direct.outcome).toBe("completed");
  });

  it("is ignored if an agent is named, and that is reported", async ({ machine }) => {
    const runtime = await machine({ claude: [works] });
    runtime.agent("helper", [done("Helped. Done.")]);
    await runtime.run("P4", { begin: [prefer("anthropic", { agent: "helper" })], results: [done()] });
    expect(await runtime.read("P4-DEL-001")).toMatchObject({ agent: "helper", outcome: "completed" });
    expect(notes(runtime, "P4-DEL-001")).toContain("helper was named");
  });

  it("is accepted in the JSON form of a list, within the same limits", async ({ machine }) => {
    const runtime = await machine({ claude: [works] });
    const list = {
      delegations: [{ description: "From a list", estimated_hours: 2, preferred_provider: "claude" }],
    };
    const step = { run: ["ambit", "delegate", "--tasks", JSON.stringify(list), "--wait", "0"] };
    await runtime.run("P5", { begin: [step], results: [done()] });
    expect(await runtime.read("P5-DEL-001")).toMatchObject({ agent: "claude", outcome: "completed" });
    const odd = { delegations: [{ description: "Odd", estimated_hours: 2, budgit_usd: 1 }] };
    const refused = { run: ["ambit", "delegate", "--tasks", JSON.stringify(odd), "--wait", "0"] };
    await runtime.run("P6", [refused, done()]);
    expect(runtime.output("P6", 1)).toContain("budgit_usd");
    expect((await runtime.read("P6")).workers).toBe(0);
  });
});

describe.concurrent("an agent", () => {
  it("from another tool's folder works under its own name, with the instructions of its file", async ({
    machine,
  }) => {
    const runtime = await machine({ claude: [works] });
    runtime.project.write(
      ".claude/agents/reviewer.md",
      "---\nname: reviewer\ndescription: Reviews: all of it\ntools: Read, Grep\nmodel: sonnet\n---\nYou are a strict reviewer.\n",
    );
    await runtime.run("A1", {
      begin: [delegate([{ description: "Look at it", agent: "reviewer" }])],
      results: [done()],
    });
    const worker = await runtime.read("A1-DEL-001");
    expect(worker).toMatchObject({ agent: "reviewer", outcome: "completed" });
    expect(worker.work).toMatchObject({ adapter: "claude", model: "sonnet", tools: ["Read", "Grep"] });
    expect(runtime.prompt("A1-DEL-001", 1)).toContain("You are a strict reviewer.");
    const [run = []] = runsOf(runtime.project, "claude");
    expect(run[run.indexOf("--tools") + 1]).toBe("Read,Grep");
    expect(run[run.indexOf("--model") + 1]).toBe("sonnet");
    const id = await continueDelegation(runtime.engine, { id: "A1-DEL-001", from: "work", note: "" });
    expect((await runtime.engine.whenEnded(id)).work?.tools).toEqual(["Read", "Grep"]);
  });

  it("passes its tools, and no more, to a worker without a named agent", async ({ machine }) => {
    const runtime = await machine({
      claude: [{ prints: [said.init, said.result("[delegate:A part:2]")] }, works],
    });
    runtime.project.write(
      ".claude/agents/reader.md",
      "---\nname: reader\ndescription: Reads\ntools: Read\n---\nRead only.\n",
    );
    await runtime.engine.whenEnded(
      await runtime.engine.openStory({ id: "A2", title: "Top", agent: "reader" }),
    );
    expect((await runtime.read("A2-DEL-001")).work).toMatchObject({ adapter: "claude", tools: ["Read"] });
  });

  it("with a missing program is refused before anything is created, alone among its batch", async ({
    machine,
  }) => {
    const runtime = await machine({ claude: [works] });
    runtime.project.write(".ambit/agents/broken.md", "---\ndescription: x\n---\n");
    await expect(runtime.engine.openStory({ id: "A3", title: "Top", agent: "gemini" })).rejects.toMatchObject(
      { code: "AGENT_NOT_INSTALLED" },
    );
    expect(await runtime.engine.tools.store.delegation("A3")).toBeUndefined();
    const tasks = ["codex", "broken", "ghost", "claude"].map((agent) => ({
      description: `By ${agent}`,
      agent,
    }));
    await runtime.run("A4", { begin: [delegate(tasks)], results: [done()] });
    const output = runtime.output("A4", 1);
    expect(output).toContain("The agent program codex is not on this machine's PATH");
    expect(output).toContain(".ambit/agents/broken.md is not usable");
    expect(output).toContain('There is no agent "ghost"');
    const tree = await runtime.engine.tools.store.storyTree("A4");
    const worked = tree.filter(({ outcome, depth }) => depth === 1 && outcome === "completed");
    expect(worked.map(({ agent }) => agent)).toEqual(["claude"]);
  });

  it("may name its own program, which is not looked up by its adapter's name", async ({ machine }) => {
    const runtime = await machine({});
    const command = fakeClaude(runtime.project, "own", [works]);
    describeOwn(runtime.project, command);
    const story = await runtime.engine.whenEnded(
      await runtime.engine.openStory({ id: "A5", title: "Top", agent: "own" }),
    );
    expect(story).toMatchObject({ outcome: "completed", agent: "own" });
    // Control: the same without a program of its own.
    await expect(runtime.engine.openStory({ id: "A6", title: "Top", agent: "claude" })).rejects.toMatchObject(
      {
        code: "AGENT_NOT_INSTALLED",
      },
    );
    await runtime.run("A7", [say("x"), done()]);
  });

  it("without a login is reported, with the next command", async ({ machine }) => {
    const runtime = await machine({ claude: [works] });
    const id = await runtime.engine.openStory({ id: "A8", title: "Top", agent: "claude" });
    await runtime.engine.whenEnded(id);
    expect(notes(runtime, "A8")).toContain("not to be logged in; if it fails: claude setup-token");
    expect(notes(runtime, "A8")).not.toContain("tested range");
  });
});

function describeOwn(project: Project, command: readonly string[]): void {
  project.write(
    ".ambit/agents/own.md",
    `---\nadapter: claude\ncommand: ${JSON.stringify(command)}\n---\nOwn.\n`,
  );
}

describe.concurrent("the name of a program", () => {
  const tasks = JSON.stringify([{ description: "Part", agent: "claude" }]);
  const handsOut: FakeRun = {
    shell: `ambit delegate --tasks '${tasks}' --wait 0`,
    prints: [said.init, said.result("I wait.")],
  };

  it("may be on the path already: a Claude manager has a Claude worker (R65)", async ({ machine }) => {
    const runtime = await machine({ claude: [handsOut, works] });
    const story = await runtime.run("D1", [], { adapter: undefined, command: undefined, agent: "claude" });
    expect(story).toMatchObject({ outcome: "completed", workers: 1 });
    expect(await runtime.read("D1-DEL-001")).toMatchObject({
      outcome: "completed",
      path: ["ambit", "claude", "claude"],
    });
  });

  it("is a role once a file defines it, and may then not be on the path twice (R65)", async ({ machine }) => {
    const runtime = await machine({ claude: [handsOut, works] });
    runtime.project.write(
      ".ambit/agents/claude.md",
      "---\nname: claude\ndescription: Ours\nadapter: claude\n---\nWork.\n",
    );
    await runtime.run("D2", [], { adapter: undefined, command: undefined, agent: "claude" });
    const refused = runtime.events.flatMap((event) =>
      event.type === "delegation-refused" ? event.data.failures : [],
    );
    expect(refused).toMatchObject([{ code: "CYCLE_DETECTED" }]);
  });
});
