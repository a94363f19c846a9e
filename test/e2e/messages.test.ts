import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { describeAgent } from "../orchestrator/open-runtime.ts";
import { ask, delegate, done, waitFor, write } from "../orchestrator/steps.ts";
import { makeProject, until } from "./project.ts";

it("a person writes from the command line to a worker that has asked or is at work (R172)", async () => {
  const project = makeProject();
  onTestFinished(() => project.remove());
  const go = `${project.root}/../go`;
  const asker = {
    begin: [ask("gzip or zstd?")],
    answer: [waitFor(go), write("answer.txt", "x\n"), done()],
  };
  describeAgent(project, "asker", asker);
  describeAgent(project, "lead", {
    begin: [delegate([{ description: "Ask", agent: "asker" }])],
    results: [done()],
  });
  // A terminal stands for a person. Without one the command would end.
  const story = once(project.start("terminal", "run", "Lead", "--agent", "lead", "--id", "S-1"), "exit");
  await until("it has asked", async () => (await project.ambit("inbox")).stdout.includes("gzip or zstd?"));
  const answered = await project.ambit("message", "send", "S-1-DEL-001", "zstd, please");
  expect(answered.stdout).toContain("it had asked, and continues with your answer");
  await until("it goes on", async () => {
    const { stdout } = await project.ambit("explain", "S-1-DEL-001", "--json");
    return stdout.includes('"running"');
  });
  const told = await project.ambit("message", "send", "1", "the password is DB_PASSWORD=hunter2", "--json");
  expect(JSON.parse(told.stdout)).toMatchObject({ to: "S-1-DEL-001" });
  await project.ambit("message", "send", "1", "and quickly");
  project.write("../go", "");
  expect(await story).toEqual([0, null]);
  const { messages } = await project.json("message", "list", "S-1");
  expect(messages).toMatchObject([
    { from: "person", to: "S-1-DEL-001", message: { answer: "the password is DB_PASSWORD=[redacted]" } },
    { from: "person", to: "S-1-DEL-001", message: { answer: "and quickly" } },
  ]);
  const late = await project.ambit("message", "send", "S-1-DEL-001", "too late");
  expect(late.stderr).toContain("RECIPIENT_NOT_FOUND");
  expect(late.status).toBe(2);
});
