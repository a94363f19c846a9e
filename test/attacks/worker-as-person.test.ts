import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { useCases, isUseCaseName, type UseCaseName } from "../../src/app/use-cases.ts";
import { agentProgramNames } from "../../src/agents/agent-programs.ts";
import type { ContainmentTier } from "../../src/containment/contained-process.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import type { OpenRunTools } from "../../src/orchestrator/create-run-tools.ts";
import type { ProjectRuntimeOptions } from "../../src/supervisor/project-runtime.ts";
import { isPersonCall, personCalls, readingCalls } from "../../src/supervisor/protocol/person-calls.ts";
import { makeProject } from "../e2e/project.ts";
import { openOn, useRuntime, type TestRuntime } from "../orchestrator/open-runtime.ts";
import { ask, done, shell, write } from "../orchestrator/steps.ts";
import { requireSandbox } from "./open-attack.ts";
import {
  changingCalls,
  changingCommands,
  otherCommands,
  withoutToken,
  type Attempt,
} from "./person-commands.ts";

const isWhole = process.env["AMBIT_ATTACKS"] === "all";
const PROGRAM = resolve("test/attacks/act-as-person.mjs");
const AMBIT = [process.execPath, resolve("dist/cli/main.cjs")];

/** Each says how a worker starts a program `"$@"` that tries to act as the person. */
const ways = {
  "with its token": '"$@"',
  "without its token": 'env -i PATH="$PATH" HOME="$HOME" "$@"',
  // Two forks and a session of its own; the pipe tells when it is done.
  reparented:
    'mkfifo done; env -i PATH="$PATH" HOME="$HOME" setsid sh -c \'("$@"; echo > done) & \' sh "$@"; cat done; rm done',
  // The most that this place allows: a new /proc without any outer process, with or without a user namespace.
  "in a namespace of unshare": ["-U -r -p -f --mount-proc", "-p -f --mount-proc", "-U -r"]
    .map((flags) => `env -i PATH="$PATH" HOME="$HOME" unshare ${flags} "$@"`)
    .join(" || "),
  "in a namespace of bubblewrap": ["--unshare-user --unshare-pid", "--unshare-pid"]
    .map((flags) => `env -i PATH="$PATH" HOME="$HOME" bwrap ${flags} --dev-bind / / --proc /proc "$@"`)
    .join(" || "),
  // Root may unmount. This is the last way, because the cover stays away.
  "with the cover taken away":
    'umount -l "$(git rev-parse --git-common-dir)/ambit" 2> /dev/null; env -i PATH="$PATH" HOME="$HOME" "$@"',
} as const;
type Way = keyof typeof ways;
const wayNames = Object.keys(ways).filter((name): name is Way => Object.hasOwn(ways, name));

type Results = Readonly<Record<string, string>>;

interface Attack {
  readonly tier?: ContainmentTier;
  readonly isolation?: "sandbox" | "worktree";
  readonly commands: readonly Attempt[];
  readonly ways?: readonly Way[];
  readonly without?: { readonly cover?: true; readonly judge?: true };
}

/** Runs one worker that tries every command in every way. A way that could not start has no results. */
async function attack(request: Attack): Promise<{
  readonly runtime: TestRuntime;
  readonly results: Readonly<Partial<Record<Way, Results>>>;
}> {
  const { tier, isolation = "worktree", commands, ways: tried = wayNames, without = {} } = request;
  const project = makeProject();
  // The project names a command, so that it needs a decision about trust.
  project.write(".ambit/agents/named.md", '---\nadapter: command\ncommand: ["true"]\n---\n');
  project.write("prd.json", JSON.stringify({ project: "p", userStories: [] }));
  project.write("more.json", JSON.stringify({ tasks: [{ title: "More" }] }));
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "files");
  const folder = dirname(project.root);
  // A tier that a test chooses is not the one for which the workspace was prepared.
  const isShown = tier === undefined || tier === "pid-namespace";
  if (!isShown) project.write("ambit.yaml", "workspace:\n  ownPath: false\n");
  project.git("add", "-A");
  project.git("commit", "--quiet", "--allow-empty", "-m", "settings");
  const state =
    isShown && isolation === "worktree"
      ? `${project.root}.worktrees/ambit/git/ambit`
      : `${project.root}/.git/ambit`;
  const adaptTools = (tools: OpenRunTools): OpenRunTools => ({
    ...tools,
    processes: {
      ...tools.processes,
      launch: ({ cover, ...spec }) =>
        tools.processes.launch({
          ...spec,
          ...(tier === undefined || isolation === "sandbox" ? {} : { tier }),
          ...(cover === undefined || without.cover === true ? {} : { cover }),
        }),
    },
  });
  const judge: Partial<ProjectRuntimeOptions> =
    without.judge === true ? { judgePeer: async () => false } : {};
  const runtime = useRuntime(project, await openOn(project, { adaptTools, ...judge }));
  onTestFinished(() => runtime.close());
  await runtime.run("OLD", [done()]);
  const plan = join(folder, "scripts", "plan.json");
  mkdirSync(dirname(plan), { recursive: true });
  writeFileSync(plan, JSON.stringify(buildPlan({ state, root: project.root }, commands)));
  const lines = tried.map((way, number) => {
    const own = way === "with its token" ? plan : planWithout(plan, { state, root: project.root }, commands);
    const words = [process.execPath, PROGRAM, own, `result-${number}.json`];
    return `set -- ${words.map((word) => `'${word}'`).join(" ")}; ${ways[way]} 2>&1`;
  });
  const readable = [dirname(plan), resolve("dist"), resolve("node_modules"), dirname(PROGRAM)];
  await runtime.run("W", [shell(lines.join("\n")), shell("ls"), done()], {
    isolation,
    readable,
    timeoutSeconds: 900,
  });
  const results: Partial<Record<Way, Results>> = {};
  for (const [number, way] of tried.entries()) {
    const text = runtime.file("refs/heads/ambit/W", `result-${number}.json`);
    if (text !== undefined) results[way] = JSON.parse(text);
  }
  return { runtime, results };
}

interface AttackedPlaces {
  readonly root: string;
  /** The state folder as the worker finds it. */
  readonly state: string;
}

function buildPlan({ root, state }: AttackedPlaces, commands: readonly Attempt[]): object {
  const calls = Object.entries(changingCalls);
  return { socket: join(state, "supervisor.sock"), calls, commands, directory: root, ambit: AMBIT };
}

function planWithout(plan: string, places: AttackedPlaces, commands: readonly Attempt[]): string {
  const file = plan.replace("plan.json", "plan-without-token.json");
  if (!existsSync(file))
    writeFileSync(
      file,
      JSON.stringify(buildPlan(places, commands.length === 0 ? [] : [...commands, ...withoutToken])),
    );
  return file;
}

const everyCommand: readonly Attempt[] = [
  ...Object.values(changingCommands).flatMap((lines) =>
    lines.map((words): Attempt => [words.join(" "), words]),
  ),
  ...otherCommands,
];
/** One command that calls the supervisor, one that writes the user's files, one that starts work and one server. */
const fewCommands = everyCommand.filter(([name]) =>
  ["approve OLD", "config set delegation.maxDepth 3", "run Mine --detach -- true", "dashboard"].includes(
    name,
  ),
);
const commands = isWhole ? everyCommand : fewCommands;

const isRefused = (result: string): boolean =>
  ["NOT_A_PERSON", "NOT_A_WORKER", "unreachable"].includes(result);
const letIn = (results: Results = {}): readonly (readonly [string, string])[] =>
  Object.entries(results).filter(([, result]) => !isRefused(result));
const calls = Object.keys(changingCalls).map((name) => `call ${name}`);

describe("the table of attacks", () => {
  it("covers every use case that changes something and is not for agents", async () => {
    const names = Object.keys(useCases).filter(isUseCaseName);
    const missing: UseCaseName[] = [];
    for (const name of names) {
      const useCase: object = await useCases[name]();
      const isOpen = "isReadOnly" in useCase || "isForAgents" in useCase;
      if (isOpen === Object.hasOwn(changingCommands, name)) missing.push(name);
    }
    expect(missing).toEqual([]);
  });

  it("covers every call of the supervisor that changes something", () => {
    const changing = Object.keys(personCalls).filter((name) => isPersonCall(name) && !readingCalls.has(name));
    expect(Object.keys(changingCalls).toSorted()).toEqual(changing.toSorted());
  });
});

const containment = await probeContainment();
const tiers = containment.tiers.filter(({ available }) => available).map(({ tier }) => tier);
const namespaces = tiers.filter((tier) => tier === "pid-namespace");

/** In that tier, a process that leaves its group and clears its environment cannot be recognised. `doctor` says so. */
const isLimitOf = (tier: ContainmentTier, way: Way): boolean =>
  tier === "process-group" && way === "reparented";

const triedTiers = tiers.filter((tier) => isWhole || ["pid-namespace", "subreaper"].includes(tier));

describe.each(triedTiers)("a worker in the tier %s", (tier) => {
  it("is never taken for the person, whatever it does to itself", { timeout: 600_000 }, async () => {
    const tried = wayNames.filter((way) => !isLimitOf(tier, way));
    const { results, runtime } = await attack({ tier, commands, ways: tried });
    for (const way of tried) {
      expect(Object.keys(results[way] ?? {}), way).toEqual(expect.arrayContaining(calls));
      expect(letIn(results[way]), way).toEqual([]);
    }
    expect(runtime.history("MINE")).toEqual([]);
    expect(readFileSync(join(runtime.project.root, "ambit.yaml"), "utf8")).not.toContain("maxDepth");
  });

  it("would be let in everywhere without the defences of the supervisor", async () => {
    const without = { cover: true, judge: true } as const;
    const { results } = await attack({ tier, commands: [], without });
    for (const way of wayNames)
      expect(
        letIn(results[way]).map(([name]) => name),
        way,
      ).toEqual(calls);
  });
});

describe("a worker in a sandbox", () => {
  it("is never taken for the person, whatever it does to itself", async () => {
    await requireSandbox();
    const { results } = await attack({ isolation: "sandbox", commands });
    for (const way of wayNames) expect(letIn(results[way]), way).toEqual([]);
    for (const way of ["with its token", "without its token", "reparented"] as const)
      expect(Object.keys(results[way] ?? {}), way).toEqual(expect.arrayContaining(calls));
  });
});

describe("the commands that a worker tries", () => {
  it("are not refused to the person", async () => {
    const { runtime } = await attack({ commands: [], ways: [] });
    for (const [name, words] of commands.filter(([one]) => one !== "dashboard")) {
      const { stdout, stderr } = await runtime.project.ambit(...words, "--json");
      expect(stdout + stderr, name).not.toContain("NOT_A_PERSON");
    }
  });
});

describe.each(namespaces)("the cover in the tier %s", (tier) => {
  it("alone keeps every call out, and the supervisor alone refuses every call", async () => {
    const covered = await attack({ tier, commands: [], without: { judge: true } });
    for (const way of wayNames.filter((one) => one !== "with the cover taken away"))
      expect(Object.values(covered.results[way] ?? {}), way).toEqual(calls.map(() => "unreachable"));
    const judged = await attack({ tier, commands: [], without: { cover: true } });
    for (const way of wayNames)
      expect(Object.values(judged.results[way] ?? {}), way).toEqual(calls.map(() => "NOT_A_PERSON"));
  });

  it("shows a worker only its own files, and git works", async () => {
    const { runtime } = await attack({ tier, commands: [], ways: [] });
    const state = join(`${runtime.project.root}.worktrees`, "ambit/git/ambit");
    const line = [
      `cd '${state}' && find . -maxdepth 2 | sort > "$OLDPWD/seen.txt"; cd "$OLDPWD"`,
      `touch '${state}/new' 2> /dev/null && echo written >> seen.txt`,
      "ambit status >> refused.txt 2>&1",
      "git log --oneline | wc -l > log.txt",
      "echo x > committed.txt && git add committed.txt && git commit -qm 'By the worker' && git status --short >> log.txt",
    ].join("\n");
    const ended = await runtime.run("SEE", [shell(line), done()]);
    expect(ended.outcome).toBe("completed");
    const read = (path: string): string => runtime.file("refs/heads/ambit/SEE", path) ?? "";
    expect(read("seen.txt").trim().split("\n")).toEqual(
      [
        ".",
        "./hidden-from-workers",
        "./logs",
        "./logs/SEE",
        "./scratchpads",
        "./scratchpads/SEE",
        "./shims",
        ...["ambit", ...agentProgramNames].map((name) => `./shims/${name}`).toSorted(),
        "./worker.sock",
      ].toSorted(),
    );
    expect(read("refused.txt")).toContain("hidden from workers");
    expect(read("committed.txt")).toBe("x\n");
    expect(Number.parseInt(read("log.txt"), 10)).toBeGreaterThan(0);
  });

  it("also covers checks and setup", async () => {
    const project = makeProject();
    const store = "$(git rev-parse --git-common-dir)/ambit/ambit.db";
    const signal = join(dirname(project.root), "signal-seen");
    const line = `test -e "${store}" && echo seen >> '${signal}'; true`;
    project.write("ambit.yaml", `workspace:\n  setup: ${JSON.stringify(line)}\n`);
    project.git("commit", "--quiet", "-am", "setup");
    const runtime = useRuntime(project, await openOn(project, { adaptTools: uncoverChecksOf("Z2") }));
    onTestFinished(() => runtime.close());
    const more = { criteria: [`\`${line}\` exits with code 0`] };
    for (const id of ["Z1", "Z2"]) {
      expect((await runtime.run(id, [write(`${id}.txt`, "x"), done()], more)).outcome).toBe("completed");
      // Control: the checks of Z2 run without the cover.
      expect(existsSync(signal)).toBe(id === "Z2");
    }
  });
});

/** Takes the cover off the checks of one story. */
function uncoverChecksOf(id: string) {
  return (tools: OpenRunTools): OpenRunTools => ({
    ...tools,
    processes: {
      ...tools.processes,
      runChecks: ({ place, ...request }) =>
        tools.processes.runChecks({
          ...request,
          ...(place === undefined || request.logDirectory.includes(id) ? {} : { place }),
        }),
    },
  });
}

describe("an answer of the person", () => {
  it("is recorded in the journal with its origin, and not as one from inside a run", async () => {
    const { runtime } = await attack({ commands: [], ways: [] });
    const story = await runtime.start("ASK", [ask("Which database?", 60), done()]);
    const question = await runtime.question();
    await runtime.project.ambit("reply", story, "SQLite");
    await runtime.engine.whenEnded(story);
    expect(runtime.told(question.delegation, "approval-answered")).toMatchObject([
      { by: "person", via: { surface: "cli", socket: true, terminal: false, insideRun: false } },
    ]);
    const { stdout } = await runtime.project.ambit("audit", story);
    expect(stdout).toContain("replied by person (command line, no terminal): SQLite");
    expect((await runtime.project.ambit("explain", story)).stdout).toContain(
      "replied by person (command line, no terminal)",
    );
  });
});
