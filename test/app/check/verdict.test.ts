import { describe, expect, it } from "vitest";
import { describeVerdict } from "../../../src/app/check/verdict.ts";

const late = { code: "TIMEOUT", message: "It took too long", suggestion: "Wait" };
const deep = { code: "MAX_DEPTH_EXCEEDED", message: "Too deep", details: ["depth 5", "limit 3"] };

describe("the judgement of a check", () => {
  it("that passed has no code and says what passed", () => {
    expect(describeVerdict("All is well", [])).toEqual({ code: null, codes: [], message: "All is well" });
  });

  it("names the first failure as its reason, and all of them with everything that is known", () => {
    expect(describeVerdict("All is well", [late, deep, late])).toEqual({
      code: "TIMEOUT",
      codes: ["TIMEOUT", "MAX_DEPTH_EXCEEDED"],
      message: "It took too long",
      suggestion: "Wait",
      failures: [late, deep, late],
    });
    const judged = describeVerdict("All is well", [deep, late]);
    expect(judged).toMatchObject({ code: "MAX_DEPTH_EXCEEDED", message: "Too deep" });
    expect(judged).not.toHaveProperty("suggestion");
  });
});
