import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { requirements, type Requirement } from "./requirements.ts";

const RANGE = /\b([RC])(\d+)\s*[–-]\s*\1(\d+)\b/g;
const SINGLE = /\b[RC]\d+\b/g;

it("cites every requirement that is done", () => {
  expect(uncited(requirements, testFiles().flatMap(citedIn))).toStrictEqual([]);
});

it("lists every id once, in order, and an issue for each planned one", () => {
  const expected = [...numbered("R", 201), ...numbered("C", 40)];
  expect(requirements.map(({ id }) => id)).toStrictEqual(expected);
  const issues = requirements.flatMap((entry) => (entry.status === "planned" ? [entry.issue] : []));
  expect(issues.filter((issue) => issue < 2 || issue > 7)).toStrictEqual([]);
});

it("reports an invented id that no test cites, and only while it is done", () => {
  const invented: Requirement = { id: "R900", about: "invented", status: "done" };
  expect(uncited([invented], ["R90", "C900"])).toStrictEqual(["R900"]);
  expect(uncited([invented], ["R900"])).toStrictEqual([]);
  expect(uncited([{ ...invented, status: "planned", issue: 7 }], [])).toStrictEqual([]);
});

it("reads ids from titles and comments, ranges included, and not from names in the code", () => {
  const text = `
    // covers R901–R903 and C901-C902
    it("refuses (R905)", () => { const R906 = call(R907); });
    it(\`holds \${R908} (R909)\`, () => {});
  `;
  const found = idsIn(citations("invented.test.ts", text)).toSorted();
  expect(found).toStrictEqual(["C901", "C902", "R901", "R902", "R903", "R905", "R909"]);
});

function uncited(entries: readonly Requirement[], cited: readonly string[]): readonly string[] {
  const known = new Set(cited);
  return entries.filter(({ id, status }) => status === "done" && !known.has(id)).map(({ id }) => id);
}

/** Every file that declares tests: also the suites several test files share. */
function testFiles(): readonly string[] {
  const entries = readdirSync("test", { recursive: true, encoding: "utf8" });
  return entries.filter(
    (entry) => entry.endsWith(".ts") && entry !== "requirements.test.ts" && declaresTests(entry),
  );
}

function declaresTests(file: string): boolean {
  return readFileSync(join("test", file), "utf8").includes('from "vitest"');
}

function citedIn(file: string): readonly string[] {
  return idsIn(citations(file, readFileSync(join("test", file), "utf8")));
}

/** Comments and texts of a file: titles may come from a table, so any text counts, names in the code do not. */
function citations(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const pieces: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) pieces.push(node.text);
    if (node.getChildCount(source) === 0) pieces.push(text.slice(node.getFullStart(), node.getStart(source)));
    for (const inner of node.getChildren(source)) visit(inner);
  };
  visit(source);
  return pieces.join("\n");
}

function idsIn(text: string): readonly string[] {
  const ranges = [...text.matchAll(RANGE)].flatMap(([, letter = "", first, last]) =>
    numbered(letter, Number(last)).slice(Number(first) - 1),
  );
  return [...new Set([...ranges, ...(text.match(SINGLE) ?? [])])];
}

function numbered(letter: string, last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
}
