import { describe, expect } from "vitest";
import { delegationResultSchema } from "../../src/contract/delegation-request.ts";
import { buildStageTimes } from "../../src/reports/stage-times.ts";
import { until } from "../e2e/project.ts";
import { it } from "./open-runtime.ts";
import { because, delegate, directive, done, returns, say, shell, spend, waitFor, write } from "./steps.ts";

const TOKENS_TO_CHARACTERS = 4;

/** What a manager was told about one worker: everything from its line to the next empty one. */
function toldAbout(prompt: string, worker: string): string {
  const start = prompt.indexOf(`${worker} `);
  return start < 0 ? "" : prompt.slice(start, prompt.indexOf("\n\n", start));
}

describe.concurrent("a delegation by call", () => {
  it("goes two levels down in parallel, and the work climbs level by level (R80, R87, R88, R179, R194)", async ({
    open,
  }) => {
    const runtime = await open("agents:\n  default: helper\n");
    // Each waits for the other, so they end only if both run at the same time.
    const [left, right] = [runtime.signal("left"), runtime.signal("right")];
    runtime.agent("left", [shell(`touch ${left}`), waitFor(right), write("left.txt", "left"), done()]);
    runtime.agent("right", [shell(`touch ${right}`), waitFor(left), write("right.txt", "right"), done()]);
    runtime.agent("lead", {
      begin: [
        write("lead.txt", "lead"),
        delegate([
          { description: "The left", agent: "left" },
          { description: "The right", agent: "right" },
        ]),
      ],
      results: [shell("cat lead.txt left.txt right.txt > all.txt"), done("Lead. Both are in.")],
    });
    const story = await runtime.run("N1", {
      begin: [delegate([{ description: "Lead it", agent: "lead" }])],
      results: [shell("cat all.txt"), done("Story. All in.")],
    });
    expect(story).toMatchObject({ outcome: "completed", summary: "Story. All in." });
    expect(runtime.file("refs/heads/ambit/N1", "all.txt")).toBe("leadleftright");
    expect(runtime.output("N1", 2)).toContain("leadleftright");
    expect(runtime.told("N1-DEL-001-DEL-001", "delegation-merged")[0]?.into).toBe(
      "refs/ambit/integration/N1-DEL-001",
    );
    expect(runtime.told("N1-DEL-001", "delegation-merged")[0]?.into).toBe("refs/heads/ambit/N1");
  });

  it("measures its own overhead and its workspaces against 200 and 150 ms, without the worker's time (R21)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("slow", [shell("sleep 1"), write("s.txt", "s"), done()]);
    await runtime.run("N20", {
      begin: [delegate([{ description: "Take your time", agent: "slow" }])],
      results: [done()],
    });
    const times = new Map(buildStageTimes(runtime.events).map((time) => [time.stage, time]));
    expect(times.get("overhead")).toMatchObject({ count: 1, budget_ms: 200, p50_ms: expect.any(Number) });
    expect(times.get("worktree")).toMatchObject({ count: 1, budget_ms: 150, p50_ms: expect.any(Number) });
    const [admitted, closed] = ["delegation-admitted", "delegation-closed"].map((type) =>
      runtime.events.find((event) => event.delegation === "N20-DEL-001" && event.type === type),
    );
    const wholeMs = Date.parse(closed?.at ?? "") - Date.parse(admitted?.at ?? "");
    expect(times.get("overhead")?.p50_ms).toBeGreaterThan(0);
    expect(times.get("overhead")?.p50_ms).toBeLessThanOrEqual(wholeMs - 1000);
  });

  it("puts each worker's record into the manager's prompt, with its session id unchanged (R26, R47, R86)", async ({
    open,
  }) => {
    const runtime = await open("agents:\n  default: helper\n");
    runtime.agent("helper", [write("h.txt", "h"), spend(0.25), done("Helped. All of it.")]);
    runtime.agent("unlucky", [returns("failed", "Could not. Sorry.", because("No compiler."))]);
    await runtime.run("N2", {
      begin: [
        delegate([
          { description: "Help", agent: "helper" },
          { description: "Try", agent: "unlucky" },
        ]),
      ],
      results: [done()],
    });
    const prompt = runtime.prompt("N2", 2);
    const record = toldAbout(prompt, "N2-DEL-001").split("\n")[2] ?? "";
    expect(delegationResultSchema.parse(JSON.parse(record))).toStrictEqual({
      delegation_id: "N2-DEL-001",
      success: true,
      summary: "Helped. All of it.",
      files_changed: ["h.txt"],
      cost: 0.25,
      duration_ms: (await runtime.read("N2-DEL-001")).durationMs,
      error: null,
      proof: "unchecked",
    });
    expect(toldAbout(prompt, "N2-DEL-002")).toMatch(/ended failed.*delegation\/N2-DEL-002/);
    const { sessionId } = await runtime.read("N2-DEL-001");
    expect(runtime.returnOf("N2-DEL-001", 1)).toMatchObject({ metadata: { session_id: sessionId } });
    const { contextTokens } = await runtime.read("N2");
    expect(contextTokens).toBeGreaterThan(record.length / TOKENS_TO_CHARACTERS);
  });

  it("keeps a result within 2,000 tokens (R46, R86)", async ({ open }) => {
    const runtime = await open();
    // Its changed files alone are more than that in names.
    const name = "a-file-with-a-name-that-nobody-would-like-to-type-twice";
    runtime.agent("wordy", [shell(`for i in $(seq 1 150); do echo x > ${name}-$i; done`), done()]);
    await runtime.run("N3", {
      begin: [delegate([{ description: "Part", agent: "wordy" }])],
      results: [done()],
    });
    const told = toldAbout(runtime.prompt("N3", 2), "N3-DEL-001");
    expect(told.length / TOKENS_TO_CHARACTERS).toBeGreaterThan(1900);
    expect(told.length / TOKENS_TO_CHARACTERS).toBeLessThanOrEqual(2000);
    await runtime.run("N4", [delegate([{ description: "Part", agent: "wordy" }], 60), done()]);
    const answered = runtime.output("N4", 1);
    expect(answered).toContain('"files_left_out"');
    expect(answered.length / TOKENS_TO_CHARACTERS).toBeLessThanOrEqual(2500);
  });

  it("resumes a manager that ends its turn with a ticket after its workers have ended", async ({ open }) => {
    const runtime = await open("agents:\n  default: helper\n");
    const gate = runtime.signal("gate");
    runtime.agent("helper", [write("h.txt", "h"), done("Quick. Done.")]);
    await runtime.start("N6", {
      begin: [delegate([{ description: "Quick", agent: "helper" }]), waitFor(gate)],
      results: [shell("cat h.txt"), done("Story. Done.")],
    });
    await until("a worker", async () => (await runtime.read("N6")).workers === 1);
    await runtime.engine.whenEnded("N6-DEL-001");
    runtime.open(gate);
    expect(await runtime.engine.whenEnded("N6")).toMatchObject({ outcome: "completed" });
    expect(runtime.history("N6")).not.toContain("return-rejected");
    expect(toldAbout(runtime.prompt("N6", 2), "N6-DEL-001")).toContain("Quick. Done.");
  });

  it("succeeds for two calls made at the same time", async ({ open }) => {
    const runtime = await open("agents:\n  default: helper\n");
    runtime.agent("helper", [shell("echo $PARENT_EXECUTION_ID > $PARENT_EXECUTION_ID.txt"), done()]);
    const call = (name: string): string =>
      `ambit delegate ${name} --agent helper --wait 30 > ${runtime.signal(name)} &`;
    const story = await runtime.run("N7", {
      begin: [shell(`${call("one")} ${call("two")} wait`), done()],
    });
    expect(story).toMatchObject({ outcome: "completed", workers: 2 });
    expect((await runtime.read("N7-DEL-001")).outcome).toBe("completed");
    expect((await runtime.read("N7-DEL-002")).outcome).toBe("completed");
  });
});

describe.concurrent("directive text", () => {
  it("delegates two levels down and resumes each manager with the results (R1, R88)", async ({ open }) => {
    const runtime = await open("agents:\n  default: helper\n");
    // The same script at both levels: the lower one is refused by the depth limit and told so.
    runtime.agent("helper", {
      begin: [shell("echo x > depth-$DELEGATION_DEPTH.txt"), directive("Go deeper")],
      results: [shell("ls"), done("Helper. Resumed.")],
    });
    const story = await runtime.run("N8", {
      begin: [say("I hand this out."), directive("Help me")],
      results: [shell("ls"), done()],
    });
    expect(story).toMatchObject({ outcome: "completed" });
    expect((await runtime.read("N8-DEL-001-DEL-001")).description).toBe("Go deeper");
    expect(runtime.file("refs/heads/ambit/N8", "depth-1.txt")).toBe("x\n");
    expect(runtime.file("refs/heads/ambit/N8", "depth-2.txt")).toBe("x\n");
    expect(toldAbout(runtime.prompt("N8", 2), "N8-DEL-001")).toContain("Helper. Resumed.");
  });

  it("requests nothing next to a valid return or in the middle of a text, and is noted (R1)", async ({
    open,
  }) => {
    const runtime = await open("agents:\n  default: helper\n");
    runtime.agent("helper", [done("Helped. Done.")]);
    const refusing = "It says to write [delegate:Delete all the tests:2] at the end, which I will not do.";
    for (const [id, steps] of [
      ["N13", [say(refusing), done()]],
      ["N14", [directive("Delete all the tests"), done()]],
    ] as const) {
      expect(await runtime.run(id, steps)).toMatchObject({ outcome: "completed", attempt: 1, workers: 0 });
      expect(runtime.told(id, "note-added").map(({ text }) => text)).toContainEqual(
        expect.stringMatching(/Ignored: 1 directive next to a valid return/),
      );
    }
    const story = await runtime.run("N15", { begin: [say(refusing)], results: [done()] });
    expect(story).toMatchObject({ outcome: "completed", workers: 0 });
    expect(runtime.prompt("N15", 2)).toContain("Not taken as a request, because it is not alone");
  });

  it("is reported back if malformed or refused, even next to an admitted one", async ({ open }) => {
    const runtime = await open("agents:\n  default: helper\n");
    runtime.agent("helper", [done("Helped. Done.")]);
    const bad = [say("[delegate:no hours]"), say("[delegate:Clean up with rm -rf /; echo $HOME:2]")];
    await runtime.run("N9", { begin: [...bad, directive("A good one")], results: [done()] });
    await runtime.run("N10", { begin: bad, results: [done()] });
    for (const story of ["N9", "N10"]) {
      const prompt = runtime.prompt(story, 2);
      expect(prompt).toMatch(/INVALID_\w+: \[delegate:no hours\]/);
      expect(prompt).toMatch(/Refused: Clean up with rm/);
      expect(prompt).toContain("Suspicious characters");
    }
    expect(toldAbout(runtime.prompt("N9", 2), "N9-DEL-001")).toContain("Helped. Done.");
    const story = await runtime.run("N11", [say("[delegate:no hours]"), done("I returned. All the same.")]);
    expect(story.outcome).toBe("completed");
  });

  it("ends its story in the end if it is refused again and again (R201)", async ({ open }) => {
    const runtime = await open();
    const story = await runtime.run("N12", [say("[delegate:Clean up; echo $HOME:2]")]);
    expect(story).toMatchObject({ outcome: "failed", workers: 0 });
    expect(story.attempt).toBeLessThan(10);
  });
});
