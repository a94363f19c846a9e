// Builds dist/: the bundled, minified CLI, the library, and their type declarations.
// It builds beside dist/ and swaps at the end, so a program that runs the old dist/ never meets a half-written one.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { buildDashboard } from "./build-dashboard.mjs";
import { COVERAGE_FOLDER } from "./coverage-folder.mjs";
import { directSqlite, lateSqlite } from "./direct-sqlite.mjs";
import { loadBuiltinsLate } from "./lazy-builtins.mjs";
import { lazyZod, zodEntry } from "./lazy-zod.mjs";
import { licensesOf } from "./licenses.mjs";
import { packChunks, redirectTo } from "./pack-chunks.mjs";
import { QUICK_PARTS, QUICK_SOURCES, quickAnswer } from "./quick-bundle.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const fresh = `node_modules/.cache/ambit/build-${process.pid}`;
const stale = `${fresh}-old`;
const FILE_URL = 'const fileUrl=require("node:url").pathToFileURL(__filename).href;';
const isForCoverage = process.argv.includes("--coverage");
const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  logLevel: "warning",
  define: { AMBIT_VERSION: JSON.stringify(version) },
  external: ["@pydantic/genai-prices"],
  // With chunks, esbuild gives `import()` of a CommonJS package no named exports; this is the same code as modules.
  // The CommonJS form of jsonc-parser hides its imports from the bundler.
  alias: {
    yaml: resolve("node_modules/yaml/browser/index.js"),
    "jsonc-parser": resolve("node_modules/jsonc-parser/lib/esm/main.js"),
  },
};

const libraryEntries = {
  index: "src/index.ts",
  contract: "src/contract/index.ts",
  testing: "src/testing/index.ts",
};

/** What every command loads first. */
const packs = { common: ["src/cli/program.ts"] };

/** Commander loads it, and a third of Node with it, for commands in files of their own, which we do not have. */
const withoutChildProcesses = {
  name: "without-child-processes",
  setup: (build) => {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes("node_modules/commander/") ? { path: "nothing", namespace: "nothing" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "module.exports = {};" }));
  },
};

mkdirSync(fresh, { recursive: true });
try {
  await buildProgram();
  if (!process.argv.includes("--no-types")) buildTypes();
  swap();
} catch (error) {
  // esbuild and tsc have printed what is wrong already; a stack trace would bury it.
  if (!("errors" in error || "status" in error)) throw error;
  process.exitCode = 1;
} finally {
  rmSync(fresh, { recursive: true, force: true });
  rmSync(stale, { recursive: true, force: true });
}

/**
 * The command line and the library are one graph of chunks: code that several commands need is there once. Each chunk is
 * CommonJS, because Node's loader for modules alone would cost more time than a command does.
 */
async function buildProgram() {
  const { metafile } = await build({
    ...shared,
    entryPoints: { main: "src/cli/main.ts", ...libraryEntries },
    outdir: `${fresh}/cli`,
    chunkNames: "[name]-[hash]",
    splitting: true,
    metafile: true,
    minify: !isForCoverage,
    ...(isForCoverage ? { sourcemap: "inline", sourcesContent: false } : {}),
    plugins: [lazyZod, directSqlite, withoutChildProcesses],
  });
  const zod = await build({
    ...shared,
    stdin: zodEntry(),
    outfile: `${fresh}/cli/zod.cjs`,
    format: "cjs",
    minify: true,
    metafile: true,
  });
  const modules = Object.keys(metafile.outputs);
  for (const file of modules) await convertToCommonJs(file);
  // A pack is not the code that its source map describes.
  if (!isForCoverage) {
    packChunks(`${fresh}/cli`, metafile, packs);
    await buildQuickAnswers(metafile);
  }
  for (const [name, source] of Object.entries(libraryEntries)) writeFacade(name, exportsOf(metafile, source));
  const dashboard = await buildDashboard(`${fresh}/cli/dashboard`, { isForCoverage });
  const bundled = [metafile, zod.metafile].flatMap(({ inputs }) => Object.keys(inputs));
  writeFileSync(
    `${fresh}/cli/THIRD-PARTY-LICENSES.txt`,
    `${licensesOf([...bundled, ...dashboard.inputs])}\n`,
  );
  chmodSync(`${fresh}/cli/main.cjs`, 0o755);
}

/** One file in one scope each: what is asked all the time neither opens many files nor links many chunks. */
async function buildQuickAnswers(metafile) {
  for (const [file, source] of Object.entries({ ...QUICK_SOURCES, ...QUICK_PARTS })) {
    const outfile = `${fresh}/cli/${file}`;
    await build({
      ...shared,
      entryPoints: [source],
      outfile,
      format: "cjs",
      minify: true,
      supported: { "dynamic-import": false },
      plugins: [quickAnswer, lazyZod, lateSqlite],
    });
    writeFileSync(outfile, loadBuiltinsLate(readFileSync(outfile, "utf8")));
  }
  for (const [file, source] of Object.entries(QUICK_SOURCES))
    redirectTo(`${fresh}/cli`, metafile, { source, file });
}

/** `import` of another chunk becomes `require`, and `import()` a promise of one. */
async function convertToCommonJs(file) {
  const code = readFileSync(file, "utf8").replaceAll(/(["'])(\.\/[\w@.-]+)\.js\1/g, '"$2.cjs"');
  const target = file.replace(/\.js$/, ".cjs");
  const url = code.includes("import.meta.url") ? FILE_URL : "";
  const { code: converted, map } = await transform(code, {
    format: "cjs",
    minify: !isForCoverage,
    sourcemap: isForCoverage ? "external" : false,
    platform: "node",
    target: shared.target,
    define: { "import.meta.url": "fileUrl" },
    supported: { "dynamic-import": false },
    banner: file.endsWith("/main.js") && isForCoverage ? recordCoverage() : url,
  });
  writeFileSync(target, loadBuiltinsLate(converted));
  if (isForCoverage) writeFileSync(`${target}.map`, map);
  rmSync(file);
}

function recordCoverage() {
  const code = readFileSync("scripts/record-coverage.cjs", "utf8");
  return code.replace("COVERAGE_FOLDER", JSON.stringify(COVERAGE_FOLDER));
}

/** Programs import the library as a module; its code is in the chunks of the command line. */
function writeFacade(name, names) {
  mkdirSync(`${fresh}/lib`, { recursive: true });
  const code = `import library from "../cli/${name}.cjs";\nexport const { ${names.join(", ")} } = library;\n`;
  writeFileSync(`${fresh}/lib/${name}.js`, code);
}

function exportsOf(metafile, source) {
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === source);
  return output.exports.toSorted((one, other) => one.localeCompare(other, "en"));
}

function buildTypes() {
  const compiler = [
    "node_modules/typescript/bin/tsc",
    "-p",
    "tsconfig.build.json",
    "--outDir",
    `${fresh}/types`,
  ];
  execFileSync(process.execPath, compiler, { stdio: "inherit" });
  const folder = `${fresh}/types`;
  rewriteExtensions(folder);
  removeUnreachable(folder, ["index", "contract/index", "testing/index"]);
}

/** The compiler writes declarations of everything it has read; programs need those that the entries lead to. */
function removeUnreachable(folder, entries) {
  const reached = new Set();
  const waiting = entries.map((entry) => join(folder, `${entry}.d.ts`));
  for (const file of waiting) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.{1,2}\/[^"]+)\.js"/g))
      waiting.push(join(file, "..", `${path}.d.ts`));
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !reached.has(file)) rmSync(file);
  }
  removeEmptyFolders(folder);
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Declarations keep the `.ts` of our imports; consumers resolve `.js`. */
function rewriteExtensions(folder) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    const file = join(folder, String(entry));
    if (!file.endsWith(".d.ts")) continue;
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/(from |import\()"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"'));
  }
}

/** Two builds may end at the same moment; the one that loses the race moves the winner's aside and tries again. */
function swap(attempts = 5) {
  try {
    if (existsSync("dist")) renameSync("dist", stale);
    renameSync(fresh, "dist");
  } catch (error) {
    if (attempts === 0 || !["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code)) throw error;
    rmSync(stale, { recursive: true, force: true });
    swap(attempts - 1);
  }
}
