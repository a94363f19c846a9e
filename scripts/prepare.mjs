// npm runs this after an install inside a clone, never for an install from the registry.
// Without the development dependencies there is nothing to build with, and nothing that needs building.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// `npm pack` runs this after prepack, whose build has the types; building again would drop them.
const isPacking = ["pack", "publish"].includes(process.env.npm_command ?? "");
if (!isPacking && canBuild()) {
  const build = fileURLToPath(new URL("build.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [build, "--no-types"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}

function canBuild() {
  try {
    createRequire(import.meta.url).resolve("esbuild");
    return true;
  } catch {
    return false; // `npm ci --omit=dev`: the development dependencies were left out on purpose.
  }
}
