import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DelegationError } from "../../../src/base/delegation-error.ts";
import { explainFailure } from "../../../src/cli/outcome/explain-failure.ts";

const plain = { ascii: false, color: false, stack: false };
const place = { command: new Command("ambit"), usageCode: undefined };

describe("explainFailure", () => {
  it("reports a DelegationError in its own words and exits with its code's status (R69)", () => {
    const error = new DelegationError({
      code: "STORE_BUSY",
      message: "The store is in use",
      recommendation: "Try again in a moment.",
      recoverable: true,
    });
    expect(explainFailure(error, place, plain)).toStrictEqual({
      failure: {
        code: "STORE_BUSY",
        message: "The store is in use",
        recommendation: "Try again in a moment.",
        recoverable: true,
      },
      exitCode: 6,
      text: "✖ STORE_BUSY  The store is in use\n  next  Try again in a moment.\n",
      stack: "",
    });
  });

  it("calls anything unexpected INTERNAL, without a stack", () => {
    const { failure, exitCode, text } = explainFailure(new TypeError("x is not a function"), place, plain);
    expect(failure).toMatchObject({ code: "INTERNAL", message: "x is not a function", recoverable: false });
    expect(exitCode).toBe(1);
    expect(text.split("\n")).toHaveLength(3);
  });

  it("includes the stack on request (R115)", () => {
    const { stack } = explainFailure(new Error("broken"), place, { ...plain, stack: true });
    expect(stack).toMatch(/^Error: broken\n\s+at /);
  });

  it.each([["a thrown text"], [undefined], [null], [42]])("handles a thrown %j", (thrown) => {
    const { failure } = explainFailure(thrown, place, { ...plain, stack: true });
    expect(failure).toMatchObject({ code: "INTERNAL", message: String(thrown) });
  });

  it("names the fields a schema refused, the first three", () => {
    const schema = z.strictObject({ a: z.int(), b: z.object({ c: z.string() }), d: z.int(), e: z.int() });
    const { error } = schema.safeParse({ a: "x", b: { c: 1 } });
    const { failure, exitCode } = explainFailure(error, place, plain);
    expect(failure.code).toBe("VALIDATION_FAILED");
    expect(failure.message).toBe(
      "a must be a number; b.c must be a string; d is missing: it must be a number; and 1 more",
    );
    expect(exitCode).toBe(1);
  });

  it("escapes control characters and indents further lines of a message", () => {
    const error = new DelegationError({ code: "USAGE", message: "one\ntwo \u001B[2J", recommendation: "" });
    expect(explainFailure(error, place, plain).text).toBe("✖ USAGE  one\n        two \\u{1b}[2J\n");
  });

  it("has no glyph outside ASCII with --ascii, and colours only where wanted", () => {
    const error = new DelegationError({ code: "USAGE", message: "no", recommendation: "yes" });
    expect(explainFailure(error, place, { ...plain, ascii: true }).text).toBe("x USAGE  no\n  next  yes\n");
    expect(explainFailure(error, place, { ...plain, color: true }).text).toContain(
      "\u001B[31m✖ USAGE\u001B[39m",
    );
  });
});
