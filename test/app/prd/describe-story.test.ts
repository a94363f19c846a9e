import { describe, expect, it } from "vitest";
import { describeStory } from "../../../src/app/prd/describe-story.ts";
import { prdSchema } from "../../../src/contract/story.ts";

function describeOne(fields: object, options: object = {}, project: object = {}) {
  const prd = prdSchema.parse({
    project: "Shop",
    userStories: [{ id: "US-1", title: "Pay", ...fields }],
    ...project,
  });
  const [story] = prd.userStories;
  if (story === undefined) throw new Error("the file has a story");
  return describeStory(prd, story, options);
}

describe("a story of a file as a request (R78, R132)", () => {
  it("carries what the file says, and nothing where it says nothing", () => {
    expect(describeOne({})).toEqual({ story: { title: "Pay", context: "" }, notices: [] });
    const all = {
      description: "By card.",
      acceptanceCriteria: ["`npm test` passes"],
      fileScope: ["src/pay/**"],
      estimatedComplexity: "high",
      suggestedModel: "opus",
    };
    expect(describeOne(all, { budgetUsd: 2 }, { description: "A shop." })).toEqual({
      story: {
        budgetUsd: 2,
        title: "Pay",
        context: "A shop.\n\nBy card.\n\nEstimated complexity: high",
        criteria: ["`npm test` passes"],
        fileScope: ["src/pay/**"],
        model: "opus",
      },
      notices: [],
    });
  });

  it("uses another model or a program if the command says so, and mentions that", () => {
    const asked = describeOne({ suggestedModel: "opus" }, { model: "haiku" });
    expect(asked.story).toMatchObject({ model: "haiku" });
    expect(asked.notices).toEqual(["US-1: suggestedModel opus is not used: --model is stronger"]);
    expect(describeOne({ suggestedModel: "opus" }, { model: "opus" }).notices).toEqual([]);
    const program = describeOne({ suggestedModel: "opus" }, { adapter: "command" });
    expect(program.story).not.toHaveProperty("model");
    expect(program.notices).toEqual(["US-1: suggestedModel opus is not used: a program does the work"]);
    expect(describeOne({}, { adapter: "command" }).notices).toEqual([]);
    expect(describeOne({}, { model: "haiku" }).notices).toEqual([]);
  });

  it.each([
    ["none", { maxDepth: 0 }],
    [" Sequential ", { maxConcurrent: 1 }],
    ["PARALLEL", undefined],
  ])("follows its delegation strategy: %s", (delegationStrategy, delegationConfig) => {
    const { story, notices } = describeOne({ delegationStrategy });
    expect(story.delegationConfig).toEqual(delegationConfig);
    expect(notices).toEqual([]);
  });

  it("follows its own limits before those of a strategy, and mentions an unknown strategy", () => {
    const limited = { delegationStrategy: "sequential", delegationConfig: { maxConcurrent: 3, maxDepth: 2 } };
    expect(describeOne(limited).story.delegationConfig).toEqual({ maxConcurrent: 3, maxDepth: 2 });
    const { story, notices } = describeOne(
      { delegationStrategy: "constructor", suggestedModel: "opus" },
      { model: "x" },
    );
    expect(story).not.toHaveProperty("delegationConfig");
    expect(notices).toEqual([
      "US-1: delegationStrategy constructor is not known (none, sequential, parallel); its agent decides",
      "US-1: suggestedModel opus is not used: --model is stronger",
    ]);
  });
});
