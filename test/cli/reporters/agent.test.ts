import { expect, it } from "vitest";
import { agentReporter } from "../../../src/cli/reporters/agent.ts";
import { busyStory, idOf, STORY, StoryTape } from "../../reports/story-tape.ts";
import { ended, now, play, Recorder } from "./recorder.ts";

it("writes a line for the agent at once, and only if the agent must act on it", () => {
  const { output, lines, answers } = new Recorder();
  const tape = busyStory().at("12:04:20");
  tape.close("2.2", "failed", { code: "NOT_JSON", summary: "No usable return." });
  const reporter = agentReporter({ story: STORY, output, ...now });
  play(reporter, tape);
  reporter.output(idOf("2"), "much text");
  expect(lines).toStrictEqual([
    "2.2 refused MAX_DEPTH_EXCEEDED: even deeper",
    '3 running -> needs you "uuid or bigint ids?" -> ambit reply US-1-DEL-003 "..."',
    "2.2 running -> failed NOT_JSON $0.03 - No usable return.",
  ]);
  expect(answers).toStrictEqual([]);
});

it("ends with one JSON document that states outcome, cost and remaining work", () => {
  const { output, answers } = new Recorder();
  const reporter = agentReporter({ story: STORY, output, ...now });
  play(reporter, busyStory());
  reporter.end(ended);
  expect(reporter.answers).toBe(true);
  expect(answers).toHaveLength(1);
  const document = JSON.parse(answers[0] ?? "");
  expect(document).toMatchObject({
    schema: "ambit/v1",
    story: STORY,
    outcome: "partial",
    code: "NOT_JSON",
    summary: "Half of it.",
    total_cost_usd: 0.6,
    needs_action: [
      {
        id: idOf("3"),
        kind: "clarification",
        question: "uuid or bigint ids?",
        command: 'ambit reply US-1-DEL-003 "..."',
      },
    ],
  });
  expect(
    document.delegations.map(({ path, status }: Record<string, string>) => `${path} ${status}`),
  ).toStrictEqual([" waiting", "1 done", "2 running", "2.1 done", "2.2 running", "3 needs you", "4 queued"]);
});

it("writes nothing while all goes well", () => {
  const { output, lines } = new Recorder();
  const reporter = agentReporter({ story: STORY, output, ...now });
  play(reporter, new StoryTape().open("Story").start("1", "work").close("1"));
  expect(lines).toStrictEqual([]);
  reporter.note("Stopping…");
  reporter.close();
  expect(lines).toStrictEqual(["Stopping…"]);
});
