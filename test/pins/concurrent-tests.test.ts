import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** `onTestFinished` of the module belongs to whichever test began last, so that one test removes the files of another. */
const IMPORTED = /import \{[^}]*\bonTestFinished\b[^}]*\} from "vitest"/;

it("files with concurrent tests clean up through the context of each test", () => {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name));
  const concurrent = files.filter((file) =>
    /\b(?:describe|it|test)\.concurrent\b/.test(readFileSync(file, "utf8")),
  );
  expect(concurrent.length).toBeGreaterThan(20);
  expect(concurrent.filter((file) => IMPORTED.test(readFileSync(file, "utf8")))).toStrictEqual([]);
});
