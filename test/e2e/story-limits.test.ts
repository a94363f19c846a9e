import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";
import { runCli, type CliResult } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

type Shell = Readonly<Record<string, string>>;

/** The supervisor outlives the pause between two commands, so that all of them share it. */
function ambitIn(shell: Shell, ...words: string[]): Promise<CliResult> {
  const environment = { AMBIT_IDLE_MS: "20000", TERM: "xterm", ...shell };
  return runCli(words, { directory: project.root, home: join(dirname(project.root), "home"), environment });
}

const done = "- return: {status: completed, summary: 'Did it. It works.'}\n";
const fails =
  "- return: {status: failed, summary: 'Could not do it.', errors: [{type: execution, code: BUILD_ERROR, message: 'No compiler.', recoverable: true, recommendation: 'Install one.'}]}\n";

/** Outside of the project, so that it is not part of the user's files. */
function scriptFile(name: string, text: string): string {
  project.write(join("..", `${name}.yaml`), text);
  return join(dirname(project.root), `${name}.yaml`);
}

function commitAgent(name: string, text: string): void {
  const command = `command: [${scriptFile(name, text)}]`;
  project.write(`.ambit/agents/${name}.md`, `---\nadapter: scripted\n${command}\n---\nWork.\n`);
  project.write("ambit.yaml", "agents:\n  default: helper\ndelegation:\n  windDown:\n    graceSeconds: 1\n");
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", name);
}

/** Hands out this many parts and completes, whatever their outcome is. */
function handsOut(count: number): string {
  const parts = Array.from({ length: count }, (_, index) => `{description: Part ${index + 1}, hours: 3}`);
  return scriptFile(`hands-out-${count}`, `begin:\n  - delegate: [${parts.join(", ")}]\nresults:\n  ${done}`);
}

async function runStory(shell: Shell, id: string, ...words: string[]): Promise<Facts> {
  const run = await ambitIn(shell, "run", "Divide it", "--id", id, ...words);
  expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
  return readFacts(id);
}

interface Facts {
  readonly workers: number;
  readonly retries: number;
  readonly refusals: readonly string[];
  /** The allowed value and the origin of each limit. */
  readonly limits: Readonly<Record<string, string>>;
}

interface Event {
  readonly type: string;
  readonly data: { readonly failures?: readonly { readonly code: string }[] };
}

async function readFacts(id: string): Promise<Facts> {
  const audit: { events: readonly Event[] } = JSON.parse(
    (await ambitIn({}, "audit", id, "--limit", "2000", "--json")).stdout,
  );
  const explained: { limits: readonly Record<string, string>[] } = JSON.parse(
    (await ambitIn({}, "explain", id, "--json")).stdout,
  );
  const count = (type: string): number => audit.events.filter((event) => event.type === type).length;
  const codes = audit.events.flatMap(({ data }) => (data.failures ?? []).map(({ code }) => code));
  return {
    workers: count("delegation-admitted"),
    retries: count("attempt-retried"),
    refusals: [...new Set(codes)],
    limits: Object.fromEntries(
      explained.limits.map(({ limit = "", allowed, origin }) => [limit, `${allowed} (${origin})`]),
    ),
  };
}

/** Variables of the shell that starts the supervisor. Later stories must not get them. */
const first: Shell = {
  ENABLE_DELEGATION: "false",
  MAX_DELEGATION_DEPTH: "1",
  MAX_DELEGATIONS_PER_STORY: "2",
  MAX_PARALLEL_DELEGATIONS: "1",
  DELEGATION_RETRY_ENABLED: "true",
  MAX_RETRY_ATTEMPTS: "2",
  DELEGATION_SAVE_WORKTREES: "true",
  DELEGATION_LOG_LEVEL: "error",
};

describe("limits of one story while a supervisor runs that was started with others", () => {
  it("obeys the variables of each command's own shell, and no other's (R108, R109, R112, R115)", async () => {
    commitAgent("helper", done);
    const two = handsOut(2);
    const started = await runStory(first, "A1", "--script", two);
    expect(started).toMatchObject({ workers: 0, refusals: ["DELEGATION_DISABLED"] });
    expect(started.limits).toMatchObject({
      "may delegate": "no (ENABLE_DELEGATION)",
      depth: "1 (MAX_DELEGATION_DEPTH)",
      "workers at once": "1 (MAX_PARALLEL_DELEGATIONS)",
    });
    const pid = await project.supervisorPid();
    const plain = await runStory({}, "A2", "--script", two);
    expect(plain).toMatchObject({ workers: 2, refusals: [] });
    expect(plain.limits).toMatchObject({
      depth: "2 (default)",
      "delegations of the story": "10 (default)",
      "workers at once": "3 (default)",
      "attempts after failures": "1 (default)",
    });
    const flat = await runStory({ MAX_DELEGATION_DEPTH: "0" }, "A3", "--script", two);
    expect(flat).toMatchObject({ workers: 0, refusals: ["MAX_DEPTH_EXCEEDED"] });
    const few = await runStory({ MAX_DELEGATIONS_PER_STORY: "4" }, "A4", "--script", handsOut(5));
    expect(few).toMatchObject({ workers: 0, refusals: ["TOO_MANY_DELEGATIONS"] });
    expect(few.limits["delegations of the story"]).toBe("4 (MAX_DELEGATIONS_PER_STORY)");
    const off = await runStory({ ENABLE_DELEGATION: "false" }, "A5", "--script", two);
    expect(off).toMatchObject({ workers: 0, refusals: ["DELEGATION_DISABLED"] });
    expect(await project.supervisorPid()).toBe(pid);
  });

  it("retries only for a story that asks for it (R112)", async () => {
    commitAgent("helper", fails);
    const one = handsOut(1);
    expect((await runStory({}, "B1", "--script", one)).retries).toBe(0);
    const shell = { DELEGATION_RETRY_ENABLED: "true", MAX_RETRY_ATTEMPTS: "2" };
    const again = await runStory(shell, "B2", "--script", one);
    expect(again.retries).toBe(1);
    expect(again.limits["attempts after failures"]).toBe("2 (DELEGATION_RETRY_ENABLED)");
    expect((await runStory({}, "B3", "--script", one)).retries).toBe(0);
  });

  it("lets a flag win over the environment, and the environment over the story's file (R108, R114, R132)", async () => {
    commitAgent("helper", done);
    const two = handsOut(2);
    const enabled = await runStory(
      { ENABLE_DELEGATION: "false" },
      "Z1",
      "--script",
      two,
      "--enable-delegation",
    );
    expect(enabled).toMatchObject({ workers: 2, refusals: [] });
    const deep = await runStory({ MAX_DELEGATION_DEPTH: "2" }, "Z2", "--script", two, "--depth", "0");
    expect(deep).toMatchObject({ workers: 0, refusals: ["MAX_DEPTH_EXCEEDED"] });
    expect(deep.limits["depth"]).toBe("0 (--depth)");
    const story = { id: "Z3", title: "Divide it", delegationConfig: { maxDepth: 3 } };
    project.write("prd.json", JSON.stringify({ project: "p", userStories: [story] }));
    const run = await ambitIn({ MAX_DELEGATION_DEPTH: "0" }, "run", "prd.json", "--script", two);
    expect(run.status).toBe(0);
    expect(await readFacts("Z3")).toMatchObject({ workers: 0, refusals: ["MAX_DEPTH_EXCEEDED"] });
  });

  it("obeys the file of --config, and flags of workflow commands (R108, R114)", async () => {
    commitAgent("helper", done);
    const two = handsOut(2);
    await runStory({}, "F0", "--script", two);
    project.write("../flat.yaml", "agents:\n  default: helper\ndelegation:\n  maxDepth: 0\n");
    const flat = await ambitIn(
      {},
      "run",
      "Divide it",
      "--id",
      "F1",
      "--script",
      two,
      "--config",
      "../flat.yaml",
    );
    expect(flat.stderr).not.toContain("CONFIG_INVALID");
    expect(await readFacts("F1")).toMatchObject({ workers: 0, refusals: ["MAX_DEPTH_EXCEEDED"] });
    // The next command without it has the project's own settings again.
    expect(await runStory({}, "F2", "--script", two)).toMatchObject({ workers: 2, refusals: [] });
    const off = { ENABLE_DELEGATION: "false" };
    const refused = await ambitIn(off, "review", "all of it", "--agent", "helper");
    expect([refused.status, refused.stderr]).toEqual([5, expect.stringContaining("DELEGATION_DISABLED")]);
    const allowed = await ambitIn(
      off,
      "review",
      "all of it",
      "--agent",
      "helper",
      "--enable-delegation",
      "--detach",
    );
    expect([allowed.status, allowed.stderr]).toEqual([0, expect.stringContaining("[3/7] route → helper")]);
  });

  it("gives a story that raises its own limits fifteen direct workers, five at once (R20)", async () => {
    commitAgent("helper", done);
    const delegationConfig = { maxDelegations: 15, maxDepth: 3, parallel: true, maxConcurrent: 5 };
    const story = { id: "D1", title: "Divide it", delegationConfig };
    project.write("prd.json", JSON.stringify({ project: "p", userStories: [story] }));
    expect((await ambitIn({}, "run", "prd.json", "--script", handsOut(15))).status).toBe(0);
    const raised = await readFacts("D1");
    expect(raised).toMatchObject({ workers: 15, refusals: [] });
    expect(raised.limits).toMatchObject({ "workers of its own": "15 (D1)", "workers at once": "5 (D1)" });
    const refused = await runStory({}, "D2", "--script", handsOut(15));
    expect(refused).toMatchObject({ workers: 0, refusals: ["TOO_MANY_DELEGATIONS"] });
  });
});

describe("logging of one story", () => {
  const log = (): string => readFileSync(join(project.root, ".git/ambit/logs/supervisor.log"), "utf8");
  const archive = (id: string): string => join(project.root, ".git/ambit/delegation-archives", id);

  it("writes as much as the story's level asks for, and archives details on request (R89, R111, R115)", async () => {
    commitAgent("helper", done);
    const one = handsOut(1);
    await runStory({ DELEGATION_LOG_LEVEL: "error" }, "E1", "--script", one);
    await runStory({}, "E2", "--script", one);
    await runStory({ DEBUG_DELEGATION: "1", DELEGATION_DETAILED_LOGS: "true" }, "E3", "--script", one);
    await until("the log has the end", () => log().includes("delegation-closed E3 "));
    expect(log()).not.toContain("E1");
    expect(log()).toContain("delegation-closed E2-DEL-001 completed");
    expect(log()).not.toContain("work-kept E2");
    expect(log()).toContain("work-kept E3-DEL-001");
    await until("the archive is whole", () => existsSync(archive("E3")));
    const kept = ["attempt-1/prompt.md", "events.jsonl"].map((name) => join(archive("E3-DEL-001"), name));
    expect(kept.map((file) => existsSync(file))).toEqual([true, true]);
    expect(existsSync(archive("E2-DEL-001"))).toBe(false);
  });
});
