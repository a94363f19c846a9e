import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../e2e/project.ts";
import { modelServer } from "./ask-model.ts";

/** The smallest agent there is: it has a shell and does what the model says until the model only talks. */
const AGENT = `
import { execFileSync } from "node:child_process";
import { text } from "node:stream/consumers";
const tools = [{ type: "function", function: { name: "bash", parameters: { type: "object", properties: { command: { type: "string" } } } } }];
const messages = [{ role: "user", content: await text(process.stdin) }];
for (;;) {
  const body = JSON.stringify({ model: "mock-1", messages, tools });
  const answer = await (await fetch(process.argv[2] + "/v1/chat/completions", { method: "POST", body })).json();
  const { message } = answer.choices[0];
  messages.push(message);
  if (message.content) console.log(message.content);
  if (message.tool_calls === undefined) break;
  for (const call of message.tool_calls) {
    const { command } = JSON.parse(call.function.arguments);
    const content = execFileSync("sh", ["-c", command], { encoding: "utf8" });
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}
`;

let project: Project;
beforeEach(() => {
  project = makeProject();
  project.write("agent.mjs", AGENT);
});
afterEach(() => project.remove());

const write = { write: { path: "done.txt", text: "done\n" } };
const artifacts = [{ type: "implementation", path: "done.txt" }];

describe("a scripted model behind a worker of Ambit", () => {
  it("finds everything a valid return needs in the real prompt (R50)", async () => {
    const model = await modelServer({
      work: [
        { sh: "printf %s '{\"status\":\"in_progress\"}' > '{{return_file}}'" },
        write,
        { return: { summary: "Wrote done.txt. It says done.", artifacts } },
        { text: "note at {{handover_file}}" },
      ],
    });
    const words = [
      "run",
      "Do it @@S:work",
      "--id",
      "M1",
      "--json",
      "--",
      process.execPath,
      "agent.mjs",
      model.url,
    ];
    const run = await project.ambit(...words);
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: "completed",
      summary: "Wrote done.txt. It says done.",
    });
    expect(project.git("show", "ambit/M1:done.txt")).toBe("done\n");
    expect(model.requests().map(({ step, problem }) => [step, problem])).toStrictEqual([
      [0, undefined],
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]);
    expect(model.requests().at(-1)?.text).toMatch(/^note at \/.*handover.*$/);
  });

  it("control: a return for another session is not accepted", async () => {
    const model = await modelServer({
      work: [write, { return: { artifacts, metadata: { session_id: "sess_1_zzzzzz" } } }],
    });
    const words = [
      "run",
      "Do it @@S:work",
      "--id",
      "M2",
      "--json",
      "--",
      process.execPath,
      "agent.mjs",
      model.url,
    ];
    const run = await project.ambit(...words);
    expect(run.status).not.toBe(0);
    expect(JSON.parse(run.stdout).code).toBe("SESSION_MISMATCH");
  });
});
