import { describe, expect, it } from "vitest";
import { readReturn, returnCaps } from "../../src/contract/read-return.ts";
import { validateReturn, validateReturnBytes } from "../../src/contract/validate-return.ts";

const session = "sess_1735460684_a1b2c3";
const good = {
  status: "completed",
  summary: "Wrote the parser. All checks pass.",
  artifacts: [],
  metadata: {
    session_id: session,
    agent_type: "implementer",
    delegation_depth: 1,
    delegation_path: ["orchestrator", "implement", "implementer"],
  },
};
const json = JSON.stringify(good);

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codesOf = (text: string, expected = {}): readonly string[] =>
  validateReturnBytes(bytes(text), expected).codes;

describe("the problem of a return that cannot be read", () => {
  const tooMany = `{"status":[${"1,".repeat(returnCaps.values)}1]}`;

  it.each([
    ["All tests pass!", "NOT_JSON", "Cannot parse return as JSON"],
    [json.slice(0, -1), "TRUNCATED", "Return is cut off: the JSON object never ends"],
    [`{"a":${"[".repeat(40)}${"]".repeat(40)}}`, "TOO_DEEP", "Return is nested too deeply (max 32 levels)"],
    [tooMany, "TOO_LARGE", "Return has more than 10000 values"],
    ["[1]", "NOT_AN_OBJECT", "Return must be JSON object"],
    ['{"status":"a","status":"b"}', "DUPLICATE_KEY", "Return has the same key twice in one object"],
    ['{"status":1e400}', "INVALID_FIELD:number", "Return holds a number too large to keep"],
    [" ".repeat(1_048_577), "TOO_LARGE", "Return is too large: 1048577 bytes (max 1048576)"],
  ])("has exactly this code and these words (R56, R57): %#", (text, code, message) => {
    expect(readReturn(bytes(text))).toStrictEqual({ kind: "problem", code, message });
    expect(validateReturnBytes(bytes(text))).toStrictEqual({
      valid: false,
      codes: [code],
      problems: [{ code, message }],
      warnings: [],
    });
  });
});

describe("the caps", () => {
  it("accept a return of exactly 1 MiB, and not a byte more", () => {
    const full = json.padEnd(returnCaps.bytes);
    expect(codesOf(full)).toEqual([]);
    expect(codesOf(`${full} `)).toEqual(["TOO_LARGE"]);
  });

  it("judge the size of the source when only its beginning was read", () => {
    expect(codesOf(json, { totalBytes: returnCaps.bytes })).toEqual([]);
    expect(codesOf(json, { totalBytes: returnCaps.bytes + 1 })).toEqual(["TOO_LARGE"]);
  });
});

describe("a number too large to keep", () => {
  const withField = (field: string): string => json.replace("{", `{${field},`);

  it.each([
    '"extra":1e400',
    '"extra":-1e400',
    '"extra":[0,1e400]',
    '"extra":{"a":null,"b":[{"c":1e400}]}',
    '"duration":1e99999',
  ])("is refused in any place: %s", (field) => {
    expect(codesOf(withField(field))).toEqual(["INVALID_FIELD:number"]);
  });

  it.each(['"extra":1e308', '"extra":"1e400"', '"extra":[null,true,-0,"x"]', '"extra":{"a":null}'])(
    "does not include %s, which is accepted",
    (field) => {
      expect(codesOf(withField(field))).toEqual([]);
    },
  );

  it("is refused in the metadata too", () => {
    const text = json.replace('"agent_type"', '"duration_seconds":1e400,"agent_type"');
    expect(codesOf(text, { session })).toEqual(["INVALID_FIELD:number"]);
  });
});

describe("a poisoned prototype", () => {
  const poison = '"__proto__":{"polluted":true}';

  it.each([
    ["in the metadata", json.replace('"agent_type"', `${poison},"agent_type"`)],
    ["in an unknown field", json.replace("{", `{"extra":{${poison}},`)],
    ["in a list", json.replace("{", `{"extra":[null,1,{${poison}}],`)],
    ["at the top", json.replace("{", `{${poison},`)],
  ])("is refused %s", (_place, text) => {
    const verdict = validateReturnBytes(bytes(text), { session });
    expect(verdict).toMatchObject({
      valid: false,
      codes: ["INVALID_FIELD:__proto__"],
      problems: [{ message: "Invalid field __proto__: is not allowed" }],
    });
  });

  it("is not assumed if only a value contains the word", () => {
    expect(codesOf(json.replace("{", '{"extra":"__proto__",'))).toEqual([]);
  });
});

describe("the return in a text with several objects (C14)", () => {
  const foreign = json.replace(session, "sess_1735460684_zzzzzz");

  it("is refused for its wrong session if no object has ours", () => {
    expect(codesOf(`Here it is: ${foreign} Bye.`, { session })).toEqual(["SESSION_MISMATCH"]);
  });

  it("is the last object with a status if no session is known", () => {
    const failed = json.replace("completed", "failed");
    expect(codesOf(`First ${json} then ${failed} and {"note":1}`)).toEqual(["ERRORS_REQUIRED"]);
  });

  it("is refused as not JSON if a later broken object has our session and a status", () => {
    const broken = `${json.slice(0, -1)},}`;
    expect(codesOf(`${json}\nCorrected: ${broken}`, { session })).toEqual(["NOT_JSON"]);
    expect(codesOf(`${json}\nCorrected: ${broken}`)).toEqual(["NOT_JSON"]);
  });

  it("is the valid object if the broken text after it is not meant as an answer", () => {
    expect(codesOf(`${json}\nas in {"note":1,} or {"a" b}`, { session })).toEqual([]);
  });
});

describe("bytes that are not UTF-8", () => {
  it("are replaced with a warning, which a clean return does not get", () => {
    expect(validateReturnBytes(bytes(json)).warnings).toEqual([]);
    const broken = bytes(json).map((byte, index) => (index === json.indexOf("parser") ? 0xff : byte));
    expect(validateReturnBytes(broken).warnings).toEqual([
      { code: "ENCODING_REPAIRED", message: "Return held bytes that are not UTF-8; they were replaced" },
    ]);
  });
});

it("judges a value and its text alike", () => {
  expect(validateReturnBytes(bytes(json), { session })).toStrictEqual(validateReturn(good, { session }));
});
