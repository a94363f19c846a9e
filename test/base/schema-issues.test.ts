import { expect, it } from "vitest";
import * as z from "zod";
import { describeSchemaIssues } from "../../src/base/schema-issues.ts";

const schema = z.strictObject({
  title: z.string().min(1).max(5).optional(),
  seconds: z.int().min(1).max(60).optional(),
  kind: z.enum(["one", "two"]).optional(),
  list: z
    .array(z.object({ id: z.string() }))
    .min(1)
    .max(2)
    .optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0, "must be even")
    .optional(),
});

it.each([
  [{ title: "" }, "title is empty"],
  [{ title: "too long" }, "title must have at most 5 characters"],
  [{ seconds: 0 }, "seconds must be at least 1"],
  [{ seconds: 61 }, "seconds must be at most 60"],
  [{ seconds: 1.5 }, "seconds must be a whole number"],
  [{ seconds: "1" }, "seconds must be a number"],
  [{ kind: "three" }, 'kind must be "one" or "two"'],
  [{ list: [{}] }, "list.0.id is missing: it must be a string"],
  [{ list: [{ id: "" }, { id: "" }, { id: "" }] }, "list must have at most 2 entries"],
  [{ list: [] }, "list is empty"],
  [{ other: 1 }, 'it does not have "other"'],
  [{ even: 3 }, "even is not valid (must be even)"],
  [5, "it must be an object"],
  [
    { title: "", seconds: 0, kind: "x", even: 1 },
    'title is empty; seconds must be at least 1; kind must be "one" or "two"; and 1 more',
  ],
])("a refused value is described in plain words: %j", (value, words) => {
  const { error } = schema.safeParse(value);
  expect(error === undefined ? "" : describeSchemaIssues(error)).toBe(words);
});

it("a missing value of any kind is only called missing", () => {
  const { error } = z.object({ tasks: z.unknown().optional().nonoptional() }).safeParse({});
  expect(error === undefined ? "" : describeSchemaIssues(error)).toBe("tasks is missing");
});
