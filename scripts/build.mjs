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
import { LazyModules } from "./lazy-modules.mjs";

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

/** Each lazily imported module becomes one file of its own: a command loads three files instead of twenty. */
async function buildCli() {
  const lazy = new LazyModules("src/cli/main.ts");
  for (let entryPoints = lazy.next(); entryPoints !== undefined; entryPoints = lazy.next()) {
    await build({
      ...shared,
      entryPoints,
      outdir: `${fresh}/cli`,
      plugins: [lazy.plugin],
      minify: true,
      // Bundled CommonJS packages still call require for Node's own modules.
      banner: {
        js: 'import{createRequire as __ambitRequire}from"node:module";const require=__ambitRequire(import.meta.url);',
      },
      external: ["@photostructure/sqlite"],
      // Node's build of yaml is CommonJS, which loses its named exports when a bundle imports it lazily.
      alias: { yaml: "./node_modules/yaml/browser/index.js" },
    });
  }
  chmodSync(`${fresh}/cli/main.js`, 0o755);
}

async function buildLibrary() {
  await build({
    ...shared,
    entryPoints: { index: "src/index.ts", contract: "src/contract/index.ts" },
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
