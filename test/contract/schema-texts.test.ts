import { describe, expect, it } from "vitest";
import * as z from "zod";
import { usdSchema } from "../../src/contract/config-usd.ts";
import { configSchema } from "../../src/contract/config.ts";
import {
  delegationContextSchema,
  delegationRequestSchema,
  delegationResultSchema,
  workerOutputSchema,
} from "../../src/contract/delegation-request.ts";
import { storyIdSchema } from "../../src/contract/identity.ts";
import { filledText } from "../../src/contract/lenient.ts";
import { prioritySchema } from "../../src/contract/priority.ts";
import { prdSchema } from "../../src/contract/story.ts";

const textsOf = (schema: z.ZodType, value: unknown): readonly string[] =>
  schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? [];

describe("the words of a refusal", () => {
  const story = { title: "t", description: "d", acceptanceCriteria: ["a"], priority: 1 };
  const request = { description: "Fix the login" };

  it.each<[string, z.ZodType, unknown, string]>([
    ["empty text", filledText, " \n", "must not be empty"],
    ["too fine an amount", usdSchema, 0.000_000_1, "must have at most 6 decimal places"],
    [
      "a task folder outside",
      configSchema,
      { tasks: { dir: "../x" } },
      "must be a folder inside the project",
    ],
    ["a blank task folder", configSchema, { tasks: { dir: "  " } }, "must be a folder inside the project"],
    [
      "a scope outside the project",
      delegationRequestSchema,
      { ...request, file_scope: ["../x"] },
      "must be relative to the project, without '..'",
    ],
    [
      "a story id with a blank",
      storyIdSchema,
      "US 1",
      "use 1 to 80 letters, digits, '-', '_' or '.', starting with a letter or digit",
    ],
    ["a story id that git refuses", storyIdSchema, "US-1.lock", "cannot be a branch name"],
    [
      "two stories with the same id",
      prdSchema,
      {
        project: "shop",
        userStories: [
          { ...story, id: "US-1" },
          { ...story, id: "US-1" },
        ],
      },
      "story ids must be distinct",
    ],
  ])("are exactly these for %s", (_name, schema, value, text) => {
    expect(textsOf(schema, value)).toStrictEqual([text]);
  });
});

describe("the words next to a field", () => {
  const propertyOf = (schema: z.ZodType, name: string): unknown =>
    z.toJSONSchema(schema, { io: "input" }).properties?.[name];

  it("name its unit", () => {
    expect(propertyOf(delegationContextSchema, "timeout")).toMatchObject({ description: "Seconds" });
    expect(propertyOf(workerOutputSchema, "cost")).toMatchObject({ description: "US dollars" });
    expect(propertyOf(delegationResultSchema, "cost")).toMatchObject({ description: "US dollars" });
  });
});

describe("a missing field", () => {
  it("counts neither as a changed file nor as a known amount (R47, R48)", () => {
    expect(workerOutputSchema.parse({ success: true })).toStrictEqual({
      success: true,
      tokens_in: null,
      tokens_out: null,
      cost: null,
      files_changed: [],
      error: null,
    });
    expect(
      delegationResultSchema.parse({ delegation_id: "US-1-DEL-001", success: false, summary: "" }),
    ).toStrictEqual({
      delegation_id: "US-1-DEL-001",
      success: false,
      summary: "",
      files_changed: [],
      cost: null,
      duration_ms: null,
      error: null,
    });
  });
});

it("a priority may have blanks around it", () => {
  expect(prioritySchema.parse(" High ")).toBe("high");
});
