// Runs a TypeScript file under Node 20: node scripts/run-ts.mjs <file.ts> [arguments]
// The bundle lies under node_modules, so that packages left outside it resolve as they do from the source.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Bundles `file` and returns the path of the program; the caller deletes it. */
export async function bundle(file) {
  const folder = join(root, "node_modules/.cache/ambit/run");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${basename(file, ".ts")}-${process.pid}.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}

async function main([file, ...options]) {
  if (file === undefined) throw new Error("usage: node scripts/run-ts.mjs <file.ts> [arguments]");
  const program = await bundle(file);
  const child = spawn(process.execPath, ["--enable-source-maps", "--expose-gc", program, ...options], {
    stdio: "inherit",
  });
  const stop = () => child.kill("SIGTERM");
  process.on("SIGINT", stop).on("SIGTERM", stop);
  child.on("exit", (code) => {
    rmSync(program, { force: true });
    process.exitCode = code ?? 1;
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
