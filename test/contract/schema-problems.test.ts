import { describe, expect, it } from "vitest";
import * as z from "zod";
import { schemaProblems, withoutNulls } from "../../src/contract/schema-problems.ts";

const codes = (schema: z.ZodType, value: unknown, prefix?: string): readonly string[] =>
  schemaProblems(schema, value, prefix).map((problem) => problem.code);

/** A schema that complains about a field deeper than the value it was given. */
const complainsAbout = (...path: string[]): z.ZodType =>
  z.unknown().superRefine((_value, context) => context.addIssue({ code: "custom", message: "no", path }));

describe("schemaProblems", () => {
  it("is empty for a valid value", () => {
    expect(schemaProblems(z.object({ a: z.string() }), { a: "x" })).toStrictEqual([]);
  });

  it("names fields by their path, with the dots and brackets people write", () => {
    const schema = z.array(z.object({ a: z.object({ b: z.array(z.string()) }) }));
    expect(codes(schema, [{ a: { b: ["x", 1] } }])).toStrictEqual(["INVALID_FIELD:[0].a.b[1]"]);
    expect(codes(z.object({ a: z.object({ b: z.string() }) }), { a: { b: 1 } })).toStrictEqual([
      "INVALID_FIELD:a.b",
    ]);
    expect(codes(z.object({ a: z.string() }), { a: 1 }, "list[3].")).toStrictEqual([
      "INVALID_FIELD:list[3].a",
    ]);
  });

  it("names the top level “value”", () => {
    expect(codes(z.string(), 5)).toStrictEqual(["INVALID_FIELD:value"]);
  });

  it("distinguishes absent and null fields from wrong ones", () => {
    const schema = z.object({ a: z.string(), b: z.string(), c: z.string() });
    expect(schemaProblems(schema, { a: null, c: 1 })).toMatchObject([
      { code: "MISSING_FIELD:a", message: "Missing required field: a" },
      { code: "MISSING_FIELD:b", message: "Missing required field: b" },
      { code: "INVALID_FIELD:c" },
    ]);
  });

  it("calls a field inside something that is not an object wrong, not missing", () => {
    expect(codes(complainsAbout("a"), 5)).toStrictEqual(["INVALID_FIELD:a"]);
    expect(codes(complainsAbout("a", "b"), { a: null })).toStrictEqual(["INVALID_FIELD:a.b"]);
    expect(codes(complainsAbout("a", "b"), { a: "x" })).toStrictEqual(["INVALID_FIELD:a.b"]);
    expect(codes(complainsAbout("a", "b"), { a: {} })).toStrictEqual(["MISSING_FIELD:a.b"]);
  });

  it("stops at 20 problems", () => {
    const wrong = Array.from({ length: 30 }, () => "x");
    expect(codes(z.array(z.number()), wrong)).toHaveLength(20);
  });
});

describe("withoutNulls", () => {
  it("drops null fields of an object and leaves everything else alone", () => {
    expect(withoutNulls({ a: null, b: 0, c: undefined, d: { e: null } })).toStrictEqual({
      b: 0,
      c: undefined,
      d: { e: null },
    });
    for (const value of [null, undefined, 5, "x", [null]]) expect(withoutNulls(value)).toBe(value);
  });
});
