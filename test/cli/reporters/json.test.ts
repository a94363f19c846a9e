import { expect, it } from "vitest";
import { jsonReporter } from "../../../src/cli/reporters/json.ts";
import { busyStory, idOf, STORY } from "../../reports/story-tape.ts";
import { ended, now, play, Recorder } from "./recorder.ts";

it("writes every event and output as one document per line, and the ending as the last", () => {
  const { output, answers, lines } = new Recorder();
  const reporter = jsonReporter({ story: STORY, output, ...now });
  const tape = busyStory();
  play(reporter, tape);
  reporter.output(idOf("2"), "two\nlines");
  reporter.end(ended);
  reporter.close();
  expect(reporter.answers).toBe(true);
  expect(answers.filter((text) => text.includes("\n"))).toStrictEqual([]);
  const documents = answers.map((text) => JSON.parse(text));
  expect(documents.slice(0, -2).map(({ event }) => event)).toStrictEqual(tape.events);
  expect(documents.at(-2)).toStrictEqual({
    schema: "ambit/v1",
    output: { delegation: idOf("2"), text: "two\nlines" },
  });
  expect(documents.at(-1)).toMatchObject({ schema: "ambit/v1", story: STORY, outcome: "partial", ended: 2 });
  expect(documents.every(({ schema }) => schema === "ambit/v1")).toBe(true);
  reporter.note("to people");
  expect(lines).toStrictEqual(["to people"]);
});
