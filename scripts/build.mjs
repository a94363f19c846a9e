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
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildDashboard } from "./build-dashboard.mjs";
import { LazyModules } from "./lazy-modules.mjs";
import { lazyZod, zodEntry } from "./lazy-zod.mjs";
import { licensesOf } from "./licenses.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const fresh = `node_modules/.cache/ambit/build-${process.pid}`;
const stale = `${fresh}-old`;
const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  logLevel: "warning",
  define: { AMBIT_VERSION: JSON.stringify(version) },
};

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
  await buildCli();
  await buildLibrary();
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
 * Each lazily imported module becomes one file of its own, so that a command loads three files instead of twenty, and
 * all of them are CommonJS: Node's module loader alone would cost more than a command does.
 */
async function buildCli() {
  const command = {
    ...shared,
    metafile: true,
    format: "cjs",
    supported: { "dynamic-import": false },
    minify: true,
    external: ["@photostructure/sqlite"],
  };
  const lazy = new LazyModules("src/cli/main.ts");
  const bundled = [];
  for (let entryPoints = lazy.next(); entryPoints !== undefined; entryPoints = lazy.next()) {
    const { metafile } = await build({
      ...command,
      entryPoints,
      outdir: `${fresh}/cli`,
      outExtension: { ".js": ".cjs" },
      plugins: [lazy.plugin, lazyZod, withoutChildProcesses],
    });
    bundled.push(...Object.keys(metafile.inputs));
  }
  const zod = await build({ ...command, stdin: zodEntry(), outfile: `${fresh}/cli/zod.cjs` });
  bundled.push(...Object.keys(zod.metafile.inputs));
  const dashboard = await buildDashboard(`${fresh}/cli/dashboard`);
  bundled.push(...dashboard.inputs);
  writeFileSync(`${fresh}/cli/THIRD-PARTY-LICENSES.txt`, `${licensesOf(bundled)}\n`);
  chmodSync(`${fresh}/cli/main.cjs`, 0o755);
}

async function buildLibrary() {
  await build({
    ...shared,
    entryPoints: {
      index: "src/index.ts",
      contract: "src/contract/index.ts",
      testing: "src/testing/index.ts",
    },
    outdir: `${fresh}/lib`,
    splitting: true,
    packages: "external",
  });
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
  rewriteExtensions(`${fresh}/types`);
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
