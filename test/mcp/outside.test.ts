import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeProject, until, type Project } from "../e2e/project.ts";
import { describeAgent } from "../orchestrator/open-runtime.ts";
import { done, write } from "../orchestrator/steps.ts";
import { clientKinds, connect, type Connection } from "./connect.ts";
import { rawClient } from "./raw-client.ts";

const it = test.extend<{ readonly project: Project }>({
  project: async ({ onTestFinished }, use) => {
    const project = makeProject();
    describeAgent(project, "helper", [write("helped.txt", "x\n"), done("Helped. Done.")]);
    describeAgent(project, "other", [
      write(".github/workflows/other.yml", "on: push\n"),
      done("Built. Done."),
    ]);
    describeAgent(project, "builder", [
      write(".github/workflows/ci.yml", "on: push\n"),
      done("Built. Done."),
    ]);
    onTestFinished(() => project.remove());
    await use(project);
  },
});

const surroundings = (project: Project): Connection => ({
  environment: { HOME: join(project.root, "../home"), AMBIT_IDLE_MS: "400" },
  directory: project.root,
});

describe.concurrent("an agent that a person started", () => {
  it("gets a story with its first call, and the same tools as any manager", async ({ project }) => {
    const client = await connect("current client", surroundings(project));
    expect(await project.json("status")).toMatchObject({ story: null, working: [] });
    const helped = await client.call("delegate", { tasks: [{ description: "Help", agent: "helper" }] });
    expect(helped).toMatchObject({
      isError: false,
      value: { done: true, tasks: [{ admitted: true, result: { success: true } }] },
    });
    const { value } = await client.call("status");
    expect(value).toMatchObject({ self: { depth: 0 }, workers: [{ outcome: "completed" }] });
    const story = String(JSON.parse(await client.read("ambit://story/tree")).story);
    expect(project.git("show", `ambit/${story}:helped.txt`)).toBe("x\n");
    const ended = await client.call("submit_return", {
      status: "completed",
      summary: "Led it. Done.",
      artifacts: [],
    });
    expect(ended.value).toMatchObject({ accepted: true });
    await until("the story has ended", async () => {
      const { stdout } = await project.ambit("explain", story);
      return stdout.includes("completed");
    });
    await client.close();
  });

  it("opens its next story with the first call after the last one ended", async ({ project }) => {
    const client = await connect("current client", surroundings(project));
    const task = { description: "Help", agent: "helper" };
    const stories = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const { isError, value } = await client.call("delegate", { tasks: [task] });
      expect({ isError, value }).toMatchObject({ isError: false, value: { done: true } });
      stories.add(String(JSON.parse(await client.read("ambit://story/tree")).story));
      const words = { status: "completed", summary: "Led it. Done.", artifacts: [] };
      expect((await client.call("submit_return", words)).value).toMatchObject({ accepted: true });
    }
    expect(stories.size).toBe(5);
    await client.close();
  });

  it("opens no story with calls that only read after its story has ended", async ({ project }) => {
    const client = await connect("current client", surroundings(project));
    const countStories = async (): Promise<number> => {
      const { status, stdout, stderr } = await project.ambit("audit", "--limit", "1000");
      expect([status, stderr]).toEqual([0, ""]);
      return stdout.split("\n").filter((line) => line.includes("story-opened")).length;
    };
    const task = { description: "Help", agent: "helper" };
    expect((await client.call("delegate", { tasks: [task] })).value).toMatchObject({ done: true });
    const story = String(JSON.parse(await client.read("ambit://story/tree")).story);
    const words = { status: "completed", summary: "Led it. Done.", artifacts: [] };
    expect((await client.call("submit_return", words)).value).toMatchObject({ accepted: true });
    await until("the story has ended", async () => {
      const { stdout } = await project.ambit("explain", story);
      return stdout.includes("completed");
    });
    expect((await client.call("look", { what: "status" })).value).toMatchObject({ self: { story: null } });
    for (const call of ["status", "list_agents", "tasks", "list_pending_messages"])
      expect((await client.call(call)).isError).toBe(false);
    expect(await client.call("look", { what: "tree" })).toMatchObject({ isError: true });
    expect(await countStories()).toBe(1);
    expect((await client.call("delegate", { tasks: [task] })).value).toMatchObject({ done: true });
    expect(await countStories()).toBe(2);
    await client.close();
  });

  it("is bound by the project's limits", async ({ project }) => {
    project.write(
      "ambit.yaml",
      "delegation:\n  maxDelegationsPerStory: 1\n  windDown:\n    graceSeconds: 1\n",
    );
    const client = await connect("older client", surroundings(project));
    const task = { description: "Help", agent: "helper" };
    const two = await client.call("delegate", { tasks: [task, task] });
    expect(two).toMatchObject({ isError: true, value: { tasks: [{ codes: ["TOO_MANY_DELEGATIONS"] }, {}] } });
    expect((await client.call("delegate", { tasks: task })).value).toMatchObject({ done: true });
    await client.close();
  });

  it.for(clientKinds)("asks its person for approval through the %s", async (kind, { project }) => {
    const asked: string[] = [];
    const client = await connect(kind, {
      ...surroundings(project),
      person: (message) => asked.push(message) === 1,
    });
    const approved = await client.call("delegate", { tasks: [{ description: "Build", agent: "builder" }] });
    expect(approved.value).toMatchObject({ done: true, tasks: [{ result: { success: true } }] });
    const refused = await client.call("delegate", { tasks: [{ description: "Build", agent: "other" }] });
    expect(refused.value).toMatchObject({
      done: true,
      tasks: [{ result: { success: false, error: "SENSITIVE_PATHS" } }],
    });
    expect(asked).toStrictEqual([
      expect.stringContaining(".github/workflows/ci.yml"),
      expect.stringContaining(".github/workflows/other.yml"),
    ]);
    await client.close();
  });

  it("leaves the question to the terminal if its person closes the form", async ({ project }) => {
    const client = await connect("current client", {
      ...surroundings(project),
      person: () => "closes the form",
    });
    const input = { tasks: [{ description: "Build", agent: "builder" }], wait_seconds: 20 };
    const building = client.call("delegate", input);
    await until("it waits for a person", async () => {
      const { questions } = await project.json("inbox");
      return Array.isArray(questions) && questions.length > 0;
    });
    const { stdout } = await project.ambit("inbox", "--json");
    const id = /"(S-[a-z0-9]+-DEL-001-sensitive-paths-1)"/.exec(stdout)?.[1] ?? "";
    await project.ambit("approve", id);
    const { value } = await building;
    const end =
      value["done"] === true ? value : (await client.call("wait", { cursor: value["cursor"] })).value;
    expect(end).toMatchObject({ done: true, tasks: [{ result: { success: true } }] });
    await client.close();
  });

  it("learns that no process drives its story, and how to continue", async ({ project }) => {
    const begun = join(project.root, "../begun");
    project.write(
      ".ambit/agents/slow.md",
      `---\nname: slow\nadapter: command\ncommand: [sh, -c, "touch ${begun}; exec sleep 3600"]\n---\n`,
    );
    const here = { ...surroundings(project), environment: { HOME: join(project.root, "../home") } };
    const [client, other] = [await connect("current client", here), await connect("older client", here)];
    const waiting = client.call("delegate", { tasks: [{ description: "Wait", agent: "slow" }] });
    await until("the worker runs", () => existsSync(begun));
    const story = String((await project.json("status"))["story"]);
    expect((await other.call("look", { what: "status" })).value).toMatchObject({ interrupted: false });
    process.kill(await project.supervisorPid(), "SIGKILL");
    expect(await waiting).toMatchObject({
      isError: true,
      value: { error: { code: "SUPERVISOR_GONE", recommendation: expect.stringContaining("Call look") } },
    });
    expect((await other.call("look", { what: "status" })).value).toMatchObject({
      interrupted: true,
      interrupted_stories: [{ story, resume_with: `ambit resume ${story}` }],
    });
    const tree = await other.call("look", { what: "tree" });
    expect(JSON.stringify(tree.value)).toContain(`ambit resume ${story} continues it`);
    const status = await client.call("look", { what: "status" });
    expect(status.value).toMatchObject({ self: { story }, interrupted: false });
    expect((await project.json("status", story))["interrupted"]).toBe(false);
    await project.ambit("stop", story);
    await Promise.all([client.close(), other.close()]);
  });

  it("cannot be imitated by a worker without its token", async ({ project }) => {
    for (const environment of [
      { AMBIT_RUN_ID: "exec-1" },
      { AMBIT_SOCKET: "/somewhere.sock" },
      { AMBIT_TOKEN: "" },
    ]) {
      const client = rawClient({ HOME: project.root, ...environment }, project.root);
      await client.initialize("2025-06-18");
      expect(await client.call("delegate", { tasks: [{ description: "Up" }] })).toMatchObject({
        error: { code: "NOT_A_WORKER" },
      });
      client.endInput();
      await client.exited;
    }
    expect(await project.json("status")).toMatchObject({ story: null, working: [] });
  });
});
