import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseNext } from "../../src/scheduler/choosing/choose-next.ts";
import { makeJob, makeQueue, slots } from "./make-job.ts";

/** Scopes meet when a job lets one without a scope go first. */
function meet(one: readonly string[], other: readonly string[]): boolean {
  const queue = makeQueue([makeJob("J1", { scope: one }), makeJob("J2")]);
  return chooseNext(queue, [makeJob("J0", { scope: other })], slots(2)).start[0] === "J2";
}

describe("two scopes", () => {
  it.each([
    ["src/api/**", "src/**"],
    ["src/api", "src/api/users.ts"],
    ["src", "src/api/**"],
    ["**/*.ts", "src/api"],
    ["**/*.ts", "src/a.ts"],
    ["*.md", "README.md"],
    ["src/*/index.ts", "src/api/*.ts"],
    ["src/**/test/*", "src/a/b/test/c"],
    ["src/**/test/*", "src/test/c"],
    ["{src,docs}/**", "docs/a.md"],
    ["src/{api/{v1,v2},web}/**", "src/api/v2/x"],
    ["./src//a", "src/a"],
    ["a?c", "ab*"],
    ["*", "anything/below"],
    ["", "x"],
    ["{open", "x"],
  ])("%j and %j overlap", (one, other) => {
    expect(meet([one], [other])).toBe(true);
    expect(meet([other], [one])).toBe(true);
  });

  it.each([
    ["src/api/**", "src/web/**"],
    ["src/api", "src/api2"],
    ["src/*.ts", "src/*.md"],
    ["src/*/index.ts", "src/api/main.ts"],
    ["*.md", "docs/x.ts"],
    ["src/{api,web}/**", "src/db/**"],
    ["[slug]/page", "s/page"],
    ["a??", "ab"],
    ["a*b", "a*c"],
    ["src/**", "!src/**"],
  ])("%j and %j do not overlap", (one, other) => {
    expect(meet([one], [other])).toBe(false);
    expect(meet([other], [one])).toBe(false);
  });

  it("overlap if one is too long to be compared", () => {
    expect(meet(["x".repeat(400)], ["y"])).toBe(true);
  });

  it("overlap if any of their patterns do", () => {
    expect(meet(["docs/**", "src/a"], ["test", "src/*"])).toBe(true);
    expect(meet(["docs/**", "src/a"], ["test", "src/b"])).toBe(false);
    expect(meet([], ["**"])).toBe(false);
  });

  it("always overlap if one path lies in both", () => {
    const name = fc.stringMatching(/^[ab.]{1,4}$/).filter((text) => text !== "." && text !== "..");
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    const widened = path.chain((segments) => fc.tuple(widen(segments), widen(segments)));
    fc.assert(
      fc.property(widened, ([one, other]) => {
        expect(meet([one], [other])).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("are compared within two seconds, however they are written", () => {
    const nasty = Array.from({ length: 100 }, (_, index) => `${"*a".repeat(140)}${index}`);
    const other = Array.from({ length: 100 }, (_, index) => `${"*b".repeat(140)}x${index}`);
    const before = performance.now();
    expect(meet(nasty, other)).toBe(true);
    expect(meet(["{a,b}".repeat(50)], ["c"])).toBe(true);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});

/** A pattern that matches the path: stars for letters, names and folders, or only a folder above it. */
function widen(segments: readonly string[]): fc.Arbitrary<string> {
  const parts = segments.map((segment) =>
    fc.oneof(
      fc.constant(segment),
      fc.constant("*"),
      fc.constant("**"),
      fc.constant("**/*"),
      fc.constant(`**/${segment}`),
      fc.nat(segment.length).map((at) => `${segment.slice(0, at)}*${segment.slice(at)}`),
      fc.nat(segment.length - 1).map((at) => `${segment.slice(0, at)}?${segment.slice(at + 1)}`),
      fc.constant(`{x/y,${segment}}`),
    ),
  );
  const whole = fc.tuple(...parts).map((list) => list.join("/"));
  const folder = fc
    .integer({ min: 1, max: segments.length })
    .map((length) => segments.slice(0, length).join("/"));
  return fc.oneof(whole, folder);
}
