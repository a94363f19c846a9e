import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLastObject } from "../../src/base/find-json-object.ts";
import { scanJson } from "../../src/base/json-scanner.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const scan = (text: string, maxDepth = 32) => scanJson(bytes(text), 0, { maxDepth, maxValues: 100_000 });
const find = (text: string, carrying?: string) => {
  const input = bytes(text);
  const needles = carrying === undefined ? [] : [bytes(carrying)];
  const result = findLastObject(input, {
    maxDepth: 32,
    maxValues: 1000,
    carrying: needles,
    meant: [bytes("never")],
  });
  return result.kind === "found"
    ? new TextDecoder().decode(input.subarray(result.object.start, result.object.end))
    : result.kind;
};

describe("scanJson", () => {
  it("accepts exactly what JSON.parse accepts and ends where the value ends", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("", " ", "\n\t", "   "), (json, space) => {
        const text = space + json + space;
        const result = scan(text, 64);
        expect(result.kind).toBe("complete");
        const end = result.kind === "complete" ? result.end : -1;
        expect(bytes(text).length - end).toBe(space.length);
      }),
      { numRuns: 500 },
    );
  });

  it("refuses what JSON.parse refuses, after any mutation", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom(...'{ } [ ] " , : \\ 1 a e - . \u0000 \n'.split(" "), " "),
        (json, position, character) => {
          const at = position % (json.length + 1);
          const text = json.slice(0, at) + character + json.slice(at + 1);
          const whole = scan(text, 64);
          const accepted =
            whole.kind === "complete" && text.slice(0).trimEnd().length <= decodedEnd(text, whole.end);
          expect(accepted).toBe(parses(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("calls every proper prefix of an object truncated", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), fc.nat(), (object, cut) => {
        const encoded = bytes(JSON.stringify(object));
        const prefix = encoded.subarray(0, 1 + (cut % (encoded.length - 1)));
        expect(scanJson(prefix, 0, { maxDepth: 32, maxValues: 100_000 }).kind).toBe("truncated");
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["tru", "truncated"],
    ["-", "truncated"],
    ["1e", "truncated"],
    ["[1,]", "invalid"],
    ["[,1]", "invalid"],
    ['{"a":}', "invalid"],
    ['{"a" 1}', "invalid"],
    ["{a:1}", "invalid"],
    ["[1 2]", "invalid"],
    ["}", "invalid"],
    ["]", "invalid"],
    ["[}", "invalid"],
    ["01", "invalid"],
    ["1.", "truncated"],
    ["+1", "invalid"],
    ['"a\nb"', "invalid"],
    ['"\\x"', "invalid"],
    ['"\\u12g4"', "invalid"],
    ['"\\u12', "truncated"],
    ['"\\', "truncated"],
    ["nul1", "invalid"],
    ["", "truncated"],
  ])("judges %s as %s", (text, kind) => {
    expect(scan(text).kind).toBe(kind);
  });

  it("counts the keys of all levels", () => {
    expect(scan('{"a":{"b":1,"c":[{"d":2}]},"a":3}')).toMatchObject({ kind: "complete", keys: 5 });
  });

  it("stops at the depth cap without recursion, 200,000 levels deep", () => {
    expect(scan("[".repeat(200_000)).kind).toBe("too-deep");
    expect(scan("[[[1]]]", 3).kind).toBe("complete");
    expect(scan("[[[1]]]", 2).kind).toBe("too-deep");
  });

  it("stops after the allowed number of values, strings, numbers and containers alike", () => {
    const input = bytes('{"a":[1,"x",{}],"b":null}');
    const allowing = (maxValues: number): string => scanJson(input, 0, { maxDepth: 9, maxValues }).kind;
    expect(allowing(6)).toBe("complete");
    expect(allowing(5)).toBe("too-many");
  });
});

describe("findLastObject", () => {
  it("finds the last object in prose and fences", () => {
    expect(find('Done.\n```json\n{"a":1}\n```\nand {"b":2} there')).toBe('{"b":2}');
    expect(find('{"a":1} then a brace { in prose')).toBe('{"a":1}');
    expect(find("use {x} or {y: 1}")).toBe("none");
  });

  it("finds an object whose start was swallowed by a stray brace and quote", () => {
    expect(find('I opened {" and then wrote {"status":"x"} here')).toBe('{"status":"x"}');
    expect(find('{ {"a":1}')).toBe('{"a":1}');
  });

  it("finds the last object with the session, even if another object follows", () => {
    expect(find('{"s":"ours","n":1} {"s":"ours","n":2} {"s":"other"}', "ours")).toBe('{"s":"ours","n":2}');
    expect(find('but {"s":"other"}', "ours")).toBe("none");
  });

  it("calls a text that ends inside an object truncated, even after a complete object", () => {
    expect(find('{"s":1} {"s":')).toBe("truncated");
    expect(find('{"summary":"cut of')).toBe("truncated");
  });

  it("reads a whole document past a byte order mark and white space", () => {
    expect(find('\uFEFF \n{"a":1}\n')).toBe('{"a":1}');
    expect(find("[1,2]")).toBe("other-value");
    expect(find(' "text" ')).toBe("other-value");
    expect(find('[{"a":1}] trailing')).toBe('{"a":1}');
  });

  it("never throws and returns an answer for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
        const result = findLastObject(input, {
          maxDepth: 32,
          maxValues: 1000,
          carrying: [],
          meant: [bytes("never")],
        });
        if (result.kind === "found") {
          const slice = input.subarray(result.object.start, result.object.end);
          expect(parses(new TextDecoder().decode(slice))).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("finds a planted object in any brace-free text", () => {
    const prose = fc.string().map((text) => text.replaceAll(/[{}"]/g, ""));
    fc.assert(
      fc.property(prose, fc.dictionary(fc.string(), fc.string()), prose, (before, object, after) => {
        const json = JSON.stringify(object);
        expect(find(`${before}${json}${after}`)).toBe(json);
      }),
    );
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where a byte offset falls in the text, in UTF-16 units. */
function decodedEnd(text: string, end: number): number {
  return new TextDecoder().decode(bytes(text).subarray(0, end)).length;
}
