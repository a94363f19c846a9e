import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { requirements, type Requirement } from "./requirements.ts";

const RANGE = /\b([RC])(\d+)\s*[–-]\s*\1(\d+)\b/g;
const SINGLE = /\b[RC]\d+\b/g;
/** One or more ids or ranges, and nothing else. */
const GROUP = /\([RC]\d+(?:[,;–-]\s*[RC]\d+)*\)/g;
const LOOKALIKE = /(?<![\w(–])[RC]\d{1,3}(?!\w)/g;

it("cites every requirement that is done", () => {
  expect(
    uncited(
      requirements,
      testFiles().flatMap(({ file, text }) => citedIn(file, text)),
    ),
  ).toStrictEqual([]);
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

it("reads ids only in parentheses of titles, ranges included", () => {
  const text = `
    // covers R910
    describe("a group (R911)", () => {});
    it("refuses (R905, C901–C902)", () => { const R906 = call("R907 (R912)"); });
    it.concurrent.for([["(R913)"]])(\`holds \${R908} %s (R901–R903)\`, () => {});
    test("knows R914 (see R915)", () => {});
  `;
  const found = citedIn("invented.test.ts", text).toSorted();
  expect(found).toStrictEqual(["C901", "C902", "R901", "R902", "R903", "R905"]);
});

it("finds no text in a test that looks like an id, such as the name of a story", () => {
  const found = testFiles().flatMap(({ file, text }) =>
    lookalikesIn(file, text).map((id) => `${file}: ${id}`),
  );
  expect(found).toStrictEqual([]);
  const invented =
    'run("R7"); tell(`/logs/${x}/C3-DEL-001`); it("says R8 (R9)", () => {}); like(/R1$/); of("R0", "AR1")';
  expect(lookalikesIn("invented.test.ts", invented)).toStrictEqual(["R7", "C3", "R8", "R1"]);
});

function uncited(entries: readonly Requirement[], cited: readonly string[]): readonly string[] {
  const known = new Set(cited);
  return entries.filter(({ id, status }) => status === "done" && !known.has(id)).map(({ id }) => id);
}

interface TestFile {
  readonly file: string;
  readonly text: string;
}

/** Every file that declares tests: also the suites several test files share. */
function testFiles(): readonly TestFile[] {
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("requirements."))
    .map((file) => ({ file, text: readFileSync(join("test", file), "utf8") }))
    .filter(({ text }) => text.includes('from "vitest"') || text.includes("open-runtime.ts"));
}

/** A citation is a group of ids alone, in parentheses, in the title of a test: what the reporter prints. */
function citedIn(file: string, text: string): readonly string[] {
  const titles = textsIn(file, text).filter(({ isTitle }) => isTitle);
  const groups = titles.flatMap((title) => [...title.text.matchAll(GROUP)].map(([group]) => group));
  return [...new Set(groups.flatMap(idsIn))];
}

function lookalikesIn(file: string, text: string): readonly string[] {
  const known = new Set(requirements.map(({ id }) => id));
  return textsIn(file, text).flatMap((piece) => {
    return [...piece.text.replaceAll(GROUP, "").matchAll(LOOKALIKE)]
      .map(([id]) => id)
      .filter((id) => known.has(id));
  });
}

interface Piece {
  readonly text: string;
  /** It is the title of a test. */
  readonly isTitle: boolean;
}

function textsIn(file: string, text: string): readonly Piece[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const pieces: Piece[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateLiteralToken(node) ||
      ts.isRegularExpressionLiteral(node)
    )
      pieces.push({ text: node.text, isTitle: isTitle(node, source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return pieces;
}

function isTitle(node: ts.Node, source: ts.SourceFile): boolean {
  const whole = findWhole(node);
  const call = whole.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== whole) return false;
  return /^(?:it|test)\b/.test(call.expression.getText(source));
}

/** The template that a piece of text belongs to. */
function findWhole(node: ts.Node): ts.Node {
  const span = ts.isTemplateSpan(node.parent) ? node.parent.parent : node.parent;
  return ts.isTemplateExpression(span) ? span : node;
}

function idsIn(group: string): readonly string[] {
  const ranges = [...group.matchAll(RANGE)].flatMap(([, letter = "", first, last]) =>
    numbered(letter, Number(last)).slice(Number(first) - 1),
  );
  return [...new Set([...ranges, ...(group.match(SINGLE) ?? [])])];
}

function numbered(letter: string, last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
}
