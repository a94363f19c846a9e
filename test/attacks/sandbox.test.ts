import { beforeAll, describe, expect, it } from "vitest";
import { containmentErrors } from "../../src/errors/containment.ts";
import { continueDelegation } from "../../src/orchestrator/follow-up.ts";
import { delegate, done, shell, write } from "../orchestrator/steps.ts";
import {
  checksOutside,
  openAttack,
  placesOutside,
  requireSandbox,
  type Attack,
  type WithoutDefence,
} from "./open-attack.ts";

const SANDBOX = "workspace:\n  isolation: sandbox\n";
const WORKTREE = "workspace:\n  isolation: worktree\n";
/** Tries to leave, and succeeds as a command either way. */
const leave = (outside: string): string => `touch '${outside}' 2>/dev/null; true`;

interface Way {
  readonly name: string;
  readonly settings: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Control: without this defence the attack gets out. */
  readonly without: WithoutDefence;
  readonly attack: (attack: Attack) => Promise<void>;
}

const ways: readonly Way[] = [
  {
    name: "the project's test command, in a script that the worker rewrites",
    settings: `${SANDBOX}verification:\n  test: sh test/run.sh\n`,
    files: { "test/run.sh": "true\n" },
    without: checksOutside,
    attack: async ({ runtime, outside, readable }) => {
      const story = await runtime.run("A1", [write("test/run.sh", leave(outside)), done()], {
        criteria: ["all tests pass"],
        readable,
      });
      expect(story.outcome).toBe("completed");
    },
  },
  {
    name: "the command of a story's criterion, on work of a sandboxed worker whose manager has no sandbox",
    settings: `${WORKTREE}verification:\n  test: sh run.sh\n`,
    files: { "run.sh": "true\n" },
    without: checksOutside,
    attack: async ({ runtime, outside, readable }) => {
      runtime.agent("boxed", [write("run.sh", leave(outside)), done()]);
      sandboxAgent(runtime, "boxed");
      const story = await runtime.run(
        "A2",
        { begin: [delegate([{ description: "Change the tests", agent: "boxed" }])], results: [done()] },
        { criteria: ["`sh run.sh` passes"], readable },
      );
      expect(story.outcome).toBe("completed");
      expect((await runtime.read("A2-DEL-001")).outcome).toBe("completed");
    },
  },
  {
    name: "a criterion that a sandboxed worker writes for work that it delegates",
    settings: SANDBOX,
    without: checksOutside,
    attack: async ({ runtime, outside, readable }) => {
      runtime.agent("helper", [write("helped.txt", "x"), done()]);
      const accept = [`\`touch '${outside}'\` passes`];
      const tasks = [{ description: "Help", agent: "helper", accept }];
      await runtime.run("A3", { begin: [delegate(tasks)], results: [done()] }, { readable });
      expect(runtime.told("A3-DEL-001", "criterion-checked")).toHaveLength(1);
    },
  },
  {
    name: "a criterion that a worker without a sandbox writes for work that it delegates",
    settings: WORKTREE,
    without: checksOutside,
    attack: async ({ runtime, outside }) => {
      runtime.agent("helper", [write("helped.txt", "x"), done()]);
      const accept = [`\`${leave(outside)}\` exits with code 0`];
      const tasks = [{ description: "Help", agent: "helper", accept }];
      const story = await runtime.run("A4", { begin: [delegate(tasks)], results: [done()] });
      expect(story.outcome).toBe("completed");
      expect((await runtime.read("A4-DEL-001")).work?.criteria[0]?.origin).toBe("worker");
    },
  },
  {
    name: "the check of a worker's own checklist item that it marks done",
    settings: WORKTREE,
    without: checksOutside,
    attack: async ({ runtime, outside }) => {
      const todo = {
        id: "own",
        content: "Own",
        activeForm: "Owning",
        acceptance_criteria: [`\`${leave(outside)}\` exits with code 0`],
      };
      const update = (status: string) => ({
        run: ["ambit", "todos", "--update", JSON.stringify([{ ...todo, status }])],
      });
      const story = await runtime.run("A5", [update("in_progress"), update("completed"), done()]);
      expect(story.outcome).toBe("completed");
    },
  },
  {
    name: "workspace.setup of the checkout for checks, in a script that the worker rewrites",
    settings: `${SANDBOX}  setup: sh setup.sh\n`,
    files: { "setup.sh": "true\n" },
    without: checksOutside,
    attack: async ({ runtime, outside, readable }) => {
      const story = await runtime.run("A6", [write("setup.sh", leave(outside)), done()], {
        criteria: ["`test -f setup.sh` exits with code 0"],
        readable,
      });
      expect(story.outcome).toBe("completed");
    },
  },
  {
    name: "workspace.setup of the next worker, which has no sandbox",
    settings: `${WORKTREE}  setup: sh setup.sh\n`,
    files: { "setup.sh": "true\n" },
    without: placesOutside,
    attack: async ({ runtime, outside, readable }) => {
      runtime.agent("boxed", [write("setup.sh", leave(outside)), done()]);
      runtime.agent("open", [write("open.txt", "x"), done()]);
      sandboxAgent(runtime, "boxed");
      const first = delegate([{ description: "Change the setup", agent: "boxed" }], 60);
      const second = delegate([{ description: "Go on from there", agent: "open" }], 60);
      const story = await runtime.run("A7", [first, second, done()], { readable });
      expect(story.outcome).toBe("completed");
      expect((await runtime.read("A7-DEL-002")).outcome).toBe("completed");
    },
  },
  {
    name: "a named agent below a sandboxed worker",
    settings: WORKTREE,
    without: placesOutside,
    attack: async ({ runtime, outside, readable }) => {
      runtime.agent("helper", [shell(leave(outside)), write("helped.txt", "x"), done()]);
      await runtime.run(
        "A8",
        { begin: [delegate([{ description: "Help", agent: "helper" }])], results: [done()] },
        { isolation: "sandbox", readable },
      );
      expect((await runtime.read("A8-DEL-001")).outcome).toBe("completed");
    },
  },
  {
    name: "an agent's definition that asks for a worktree in a project that asks for the sandbox",
    settings: SANDBOX,
    without: placesOutside,
    attack: async ({ runtime, outside, readable }) => {
      runtime.agent("open", [shell(leave(outside)), write("helped.txt", "x"), done()]);
      sandboxAgent(runtime, "open", "worktree");
      await runtime.run(
        "A9",
        { begin: [delegate([{ description: "Help", agent: "open" }])], results: [done()] },
        { readable },
      );
      expect((await runtime.read("A9-DEL-001")).outcome).toBe("completed");
      const notes = runtime.told("A9-DEL-001", "note-added").map(({ text }) => text);
      expect(notes.join("\n")).toContain("isolation: worktree has no effect");
    },
  },
  {
    name: "a criterion of a worker in a story that a person continues",
    settings: WORKTREE,
    without: checksOutside,
    attack: async ({ runtime, outside }) => {
      runtime.agent("helper", [write("helped.txt", "x"), done()]);
      const accept = [`\`test -e again.txt && touch '${outside}'\` passes`];
      const tasks = [{ description: "Help", agent: "helper", accept }];
      await runtime.run("A10", { begin: [delegate(tasks)], results: [done()] });
      expect((await runtime.read("A10-DEL-001")).outcome).toBe("partial");
      runtime.agent("again", [write("again.txt", "x"), done()]);
      const request = { id: "A10-DEL-001", from: "work", note: "", agent: "again" } as const;
      await runtime.engine.whenEnded(await continueDelegation(runtime.engine, request));
    },
  },
];

/** Writes an agent's definition that says how its workspace is isolated. */
function sandboxAgent(runtime: Attack["runtime"], name: string, isolation = "sandbox"): void {
  const file = `${runtime.project.root}/../scripts/agent-${name}.yaml`;
  runtime.project.write(
    `.ambit/agents/${name}.md`,
    `---\nname: ${name}\nadapter: scripted\nisolation: ${isolation}\ncommand: [${JSON.stringify(file)}]\n---\n`,
  );
}

describe("an escape from the sandbox", () => {
  beforeAll(requireSandbox);

  describe.each(ways)("by $name", ({ settings, files = {}, without, attack }) => {
    it("fails", async () => {
      const opened = await openAttack({ settings, files });
      await attack(opened);
      expect(opened.gotOut()).toBe(false);
    });

    it("would succeed without the defence", async () => {
      const opened = await openAttack({ settings, files, without });
      await attack(opened);
      expect(opened.gotOut()).toBe(true);
    });
  });

  it("fails through checks that a person runs again, and would succeed for a worker without a sandbox", async () => {
    const story = async (isolation: string): Promise<boolean> => {
      const opened = await openAttack({
        settings: `${WORKTREE}verification:\n  test: sh run.sh\n`,
        files: { "run.sh": "true\n" },
      });
      const { runtime, outside, readable, gotOut } = opened;
      const script = `test ! -e again || ${leave(outside)}\n`;
      const more = { criteria: ["all tests pass"], readable, isolation };
      await runtime.run("Z1", [write("run.sh", script), write("again", "x"), done()], more);
      const { status, stdout } = await runtime.project.ambit("verify", "Z1", "--rerun");
      expect(stdout).toContain("passed");
      expect(status).toBe(0);
      return gotOut();
    };
    expect(await story("sandbox")).toBe(false);
    expect(await story("worktree")).toBe(true);
  });

  it("does not include a command of ambit.yaml or of the story, which runs outside even if a worker names it", async () => {
    const opened = await openAttack({ settings: `${WORKTREE}verification:\n  test: sh run.sh\n` });
    const { runtime, outside, gotOut } = opened;
    runtime.project.write("run.sh", "true\n");
    runtime.agent("helper", [write("helped.txt", "x"), done()]);
    const command = `\`touch '${outside}'\` passes`;
    const tasks = [{ description: "Help", agent: "helper", accept: [command, "all tests pass"] }];
    const more = { criteria: [command] };
    const story = await runtime.run("K1", { begin: [delegate(tasks)], results: [done()] }, more);
    expect(story.outcome).toBe("completed");
    expect((await runtime.read("K1-DEL-001")).outcome).toBe("completed");
    expect(gotOut()).toBe(true);
  });

  it("fails on a machine without a sandbox, where a worker's command does not run and the evidence says why", async () => {
    const without: WithoutDefence = (tools) => ({
      ...tools,
      git: {
        ...tools.git,
        checkOut: (request) =>
          request.sandbox === undefined
            ? tools.git.checkOut(request)
            : Promise.reject(containmentErrors.sandboxUnavailable("there is no bubblewrap")),
      },
    });
    const { runtime, outside, gotOut } = await openAttack({ settings: WORKTREE, without });
    runtime.agent("helper", [write("helped.txt", "x"), done()]);
    const tasks = [{ description: "Help", agent: "helper", accept: [`\`touch '${outside}'\` passes`] }];
    await runtime.run("N1", { begin: [delegate(tasks)], results: [done()] });
    expect(await runtime.read("N1-DEL-001")).toMatchObject({
      outcome: "partial",
      code: "CRITERION_UNVERIFIED",
    });
    const [checked] = runtime.told("N1-DEL-001", "criterion-checked");
    expect(checked).toMatchObject({ verdict: "unverified" });
    expect(checked?.evidence).toContain("a command that a worker wrote runs in a sandbox only");
    expect(checked?.evidence).toContain("there is no bubblewrap");
    expect(gotOut()).toBe(false);
  });
});
