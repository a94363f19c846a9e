// Measures the shape of src/: sizes, names, words that readers stumble over, and folders that import each other both ways.
// Usage: node scripts/measure-source.mjs [folder …] [--json] [--list]. Without a folder it measures all of src/.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const options = new Set(process.argv.slice(2).filter((word) => word.startsWith("--")));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));

const STUMBLING_WORDS =
  /\b(nobody|anew|whoever|whomever|a most|leave[sd]? (?:it |them |that |this )?away|(?<!\bthere )is no (?!longer|slower|more)[a-z]+)\b/gi;
/** A comment whose sentence has no subject. In a message such a beginning may be a question or a label. */
const RIDDLES = /^\W*(?:Who|Whose|What|One that|Of those)\b(?![^\n]*\?)/gim;
const OLD_LIMITS = /\b(?:MOST|LONGEST|DEEPEST|WIDEST|LARGEST|FEWEST|LEAST)_[A-Z_]+\b|\b(?:MOST|LONGEST)\b/g;
const SMALL_FILE_LINES = 45;
const MAX_FILE_LINES = 300;

const files = listFiles("src").map(readSource);
const byPath = new Map(files.map((file) => [file.path, file]));
const readers = countReaders();
const folders = wanted.length > 0 ? wanted : [""];
for (const folder of folders) report(folder);

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((entry) => join(folder, entry))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"));
}

function readSource(path) {
  const text = readFileSync(path, "utf8");
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const facts = { path, text, lines: text.split("\n").length - 1, imports: [], functions: [], comments: [] };
  visit(source, source, facts);
  facts.comments = [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|\/\/[^\n]*/g)].map(([comment]) => comment);
  return facts;
}

function visit(node, source, facts) {
  const specifier = moduleSpecifier(node);
  if (specifier?.startsWith(".")) facts.imports.push(relative(".", resolve(dirname(facts.path), specifier)));
  const name = functionName(node);
  if (name !== undefined) {
    const start = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
    const end = source.getLineAndCharacterOfPosition(node.end).line;
    facts.functions.push({ name, lines: end - start + 1 });
  }
  ts.forEachChild(node, (child) => visit(child, source, facts));
}

function moduleSpecifier(node) {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
    return node.moduleSpecifier.text;
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic && ts.isStringLiteral(node.arguments[0]) ? node.arguments[0].text : undefined;
}

/** Named functions and methods, and constants that hold a function. */
function functionName(node) {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return node.body === undefined ? undefined : node.name?.getText().replace("#", "");
  const holdsFunction =
    ts.isVariableDeclaration(node) &&
    node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
  return holdsFunction && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

function countReaders() {
  const found = new Map();
  for (const { path, imports } of files)
    for (const target of new Set(imports)) found.set(target, [...(found.get(target) ?? []), path]);
  return found;
}

function report(folder) {
  const prefix = folder === "" ? "src/" : `${folder.replace(/^src\//, "src/").replace(/\/$/, "")}/`;
  const own = files.filter(({ path }) =>
    path.startsWith(prefix.startsWith("src/") ? prefix : `src/${prefix}`),
  );
  const names = own.flatMap(({ functions }) => functions.map(({ name }) => name));
  const lengths = own.flatMap(({ functions }) => functions.map(({ lines }) => lines));
  const pairs = findPairs(own);
  const small = findSmallFiles(own);
  const stumbling = own.flatMap(({ path, comments, text }) => findWords(path, comments, text));
  const limits = own.flatMap(({ path, text }) =>
    [...text.matchAll(OLD_LIMITS)].map(([word]) => `${path} ${word}`),
  );
  const facts = {
    folder: prefix,
    files: own.length,
    lines: sum(own.map(({ lines }) => lines)),
    "file p90": percentile(
      own.map(({ lines }) => lines),
      0.9,
    ),
    "function p90": percentile(lengths, 0.9),
    "largest function": Math.max(0, ...lengths),
    "function name median": percentile(
      names.map(({ length }) => length),
      0.5,
    ),
    "names ending in Of %": round(
      (100 * names.filter((name) => /[a-z]Of$/.test(name)).length) / names.length,
    ),
    "one-word names %": round((100 * names.filter((name) => /^[a-z]+$/.test(name)).length) / names.length),
    "two-way pairs": pairs.length,
    "small files with one reader": small.length,
    "stumbling words": stumbling.length,
    "limits not called MAX_ or MIN_": limits.length,
  };
  if (options.has("--json")) console.log(JSON.stringify(facts));
  else
    console.log(
      Object.entries(facts)
        .map(([key, value]) => `${key.padEnd(32)} ${value}`)
        .join("\n"),
    );
  if (options.has("--list"))
    for (const [title, rows] of Object.entries({ pairs, small, stumbling, limits })) print(title, rows);
}

function print(title, rows) {
  console.log(`\n${title}\n${rows.map((row) => `  ${row}`).join("\n")}`);
}

/** Folder pairs that import each other, and folders that import a file of a folder around them. */
function findPairs(own) {
  const edges = new Map();
  for (const { path, imports } of own)
    for (const target of imports) {
      const [from, to] = [unitOf(path), unitOf(target)];
      if (from === to || topFolder(path) !== topFolder(target) || !byPath.has(target)) continue;
      edges.set(`${from} ${to}`, (edges.get(`${from} ${to}`) ?? 0) + 1);
    }
  return [...edges].flatMap(([edge, count]) => {
    const [from, to] = edge.split(" ");
    if (from.startsWith(`${to}/`)) return [`${from} imports its folder's root ${to} (${count})`];
    const back = edges.get(`${to} ${from}`);
    const isRoot = to.startsWith(`${from}/`);
    return back === undefined || isRoot || from > to ? [] : [`${from} <-> ${to} (${count}/${back})`];
  });
}

/** Folders are compared one level below their top folder; deeper ones belong to that. */
function unitOf(path) {
  return dirname(path).split("/").slice(0, 3).join("/");
}

function topFolder(path) {
  return path.split("/")[1];
}

function findSmallFiles(own) {
  return own.flatMap(({ path, lines }) => {
    const [reader, ...others] = readers.get(path) ?? [];
    if (reader === undefined || others.length > 0 || lines >= SMALL_FILE_LINES) return [];
    const isBeside =
      topFolder(reader) === topFolder(path) && byPath.get(reader).lines + lines <= MAX_FILE_LINES;
    return isBeside ? [`${path} (${lines}) <- ${reader}`] : [];
  });
}

function findWords(path, comments, text) {
  const strings = [...text.matchAll(/"[^"\n]{12,}"|`[^`]{12,}`/g)].map(([words]) => words);
  const find = (texts, pattern) =>
    texts.flatMap((words) =>
      [...words.matchAll(pattern)].map(
        ([word]) => `${path}: ${word.trim()} | ${words.replaceAll(/\s+/g, " ").slice(0, 100)}`,
      ),
    );
  return [...find([...comments, ...strings], STUMBLING_WORDS), ...find(comments, RIDDLES)];
}

function percentile(numbers, share) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function round(number) {
  return Math.round(number * 10) / 10;
}

if (!existsSync("src")) throw new Error("Run this in the root of the repository.");
