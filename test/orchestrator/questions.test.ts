import { describe, expect } from "vitest";
import { until } from "../e2e/project.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { ask, delegate, done, shell, write } from "./steps.ts";

const reply = async (runtime: TestRuntime, reason: string): Promise<string> => {
  const { id, question } = await runtime.question();
  await runtime.engine.answer(id, { answer: "replied", by: "ann", reason });
  return question;
};
const handsOut = (tasks: readonly object[]) => ({ begin: [delegate(tasks)], results: [done()] });

describe.concurrent("a question", () => {
  it("is answered while its worker waits without a slot", async ({ open }) => {
    const runtime = await open("delegation:\n  parallel: {maxConcurrent: 1}\n");
    runtime.agent("asker", [ask("uuid or bigint?", 50), write("asked.txt", "x"), done()]);
    runtime.agent("other", [done()]);
    const story = runtime.run(
      "Q1",
      handsOut([
        { description: "Ask", agent: "asker", priority: "high" },
        { description: "Other", agent: "other" },
      ]),
    );
    await until("the other has ended", async () => {
      const other = await runtime.engine.tools.store.delegation("Q1-DEL-002");
      return other?.state === "closed";
    });
    const asked = await runtime.question();
    expect(asked).toMatchObject({ delegation: "Q1-DEL-001", kind: "clarification" });
    await expect(
      runtime.engine.answer(asked.id, { answer: "approved", by: "ann", reason: "" }),
    ).rejects.toMatchObject({ code: "USAGE" });
    expect(await reply(runtime, "bigint, please")).toBe("uuid or bigint?");
    expect((await story).outcome).toBe("completed");
    expect(await runtime.read("Q1-DEL-001")).toMatchObject({ outcome: "completed", attempt: 1 });
    expect(runtime.output("Q1-DEL-001", 1)).toContain("bigint, please");
  });

  it("ends the turn if it takes too long; the worker is resumed with the answer, in its own folder", async ({
    open,
  }) => {
    const runtime = await open();
    const story = runtime.run("Q2", {
      begin: [write("half.txt", "half"), ask("uuid or bigint?")],
      answer: [shell("cat half.txt"), done("Bigint. As told.")],
    });
    await until("its turn has ended", () => runtime.history("Q2").includes("attempt-ended"));
    expect(runtime.output("Q2", 1)).toContain("you are resumed with the answer");
    await reply(runtime, "bigint");
    expect(await story).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.prompt("Q2", 2)).toContain(
      'You asked: uuid or bigint?\n<data from="ann">\nbigint\n</data>',
    );
    expect(runtime.output("Q2", 2)).toContain("half");
  });

  it("expires without an answer, and the worker continues by its own judgement (R201)", async ({ open }) => {
    const runtime = await open();
    runtime.agent("asker", {
      begin: [ask("Is anybody there?")],
      answer: [done("Assumed nobody. Went on.")],
    });
    const story = await runtime.run(
      "Q3",
      handsOut([{ description: "Ask", agent: "asker", timeout_seconds: 6 }]),
    );
    expect(story.outcome).toBe("completed");
    expect(runtime.told("Q3-DEL-001", "approval-answered")).toMatchObject([
      { answer: "expired", by: "ambit" },
    ]);
    expect(runtime.prompt("Q3-DEL-001", 2)).toContain("There was no answer.");
  });

  it("may be followed by another in the same turn", async ({ open }) => {
    const runtime = await open();
    const story = runtime.run("Q4", [ask("First?", 50), ask("Second?", 50), done()]);
    expect(await reply(runtime, "one")).toBe("First?");
    expect(await reply(runtime, "two")).toBe("Second?");
    expect(await story).toMatchObject({ outcome: "completed", attempt: 1 });
    expect(runtime.output("Q4", 1)).toMatch(/one[^]*two/);
  });

  it("is answered together with the results of workers that were waited for at the same time", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("helper", [write("h.txt", "h"), done("Helped. Done.")]);
    const story = runtime.run("Q5", {
      begin: [delegate([{ description: "Help", agent: "helper" }]), ask("Which way?")],
      results: [done()],
      answer: [done("Only the answer. Nothing of the worker.")],
      repair: [done("Neither. Only a complaint.")],
    });
    await reply(runtime, "That way.");
    expect(await story).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.prompt("Q5", 2)).toContain("Helped. Done.");
    expect(runtime.prompt("Q5", 2)).toContain('<data from="ann">\nThat way.\n</data>');
  });
});

describe.concurrent("a worker's call", () => {
  it("counts only with the token of an attempt that runs now", async ({ open }) => {
    const runtime = await open();
    const copy = runtime.signal("token");
    await runtime.run("Q6", [shell(`echo $AMBIT_TOKEN > ${copy}`), done()]);
    runtime.agent("x", [done()]);
    const story = await runtime.run("Q7", [
      shell(`AMBIT_TOKEN=$(cat ${copy}) ambit delegate 'Old token' --agent x; echo code $?`),
      shell("AMBIT_TOKEN=guessed ambit ask 'Anybody?'; echo code $?"),
      shell("env -u AMBIT_TOKEN ambit delegate 'No token' --agent x; echo code $?"),
      done(),
    ]);
    expect(story).toMatchObject({ outcome: "completed", workers: 0 });
    expect(runtime.output("Q7", 1).match(/code 2/g)).toHaveLength(3);
    expect(runtime.output("Q7", 1)).toContain("not a worker");
    expect((await runtime.read("Q6")).workers).toBe(0);
  });
});
