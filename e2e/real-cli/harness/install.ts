import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { binFolder, cliProgram, packageFolder, repository, workFolder } from "./places.ts";

/** Agent CLIs of npm at the pinned versions, and what is found of the others; the built command of ours. */
export function prepareMachine(optional: readonly string[]): void {
  if (!isInstalled()) install();
  if (!existsSync(cliProgram)) build();
  mkdirSync(workFolder, { recursive: true, mode: 0o700 });
  rmSync(binFolder, { recursive: true, force: true });
  mkdirSync(binFolder, { mode: 0o700 });
  link("codex", join(packageFolder, "node_modules/@openai/codex/bin/codex.js"));
  link("gemini", join(packageFolder, "node_modules/@google/gemini-cli/bundle/gemini.js"));
  link("opencode", openCodeProgram());
  for (const name of optional) linkFound(name);
}

/** Versions by package, as package.json pins them. */
export function pinnedVersions(): Readonly<Record<string, string>> {
  return readJson(join(packageFolder, "package.json")).dependencies;
}

function isInstalled(): boolean {
  return Object.entries(pinnedVersions()).every(([name, version]) => {
    const file = join(packageFolder, "node_modules", name, "package.json");
    return existsSync(file) && readJson(file).version === version;
  });
}

function readJson(file: string): { readonly version: string; readonly dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * Scripts of packages are not run: what they would do is done here, where it can be seen. Not `npm ci`: registries that
 * mirror only some platforms' packages leave the others out of the lock file, which it refuses.
 */
function install(): void {
  console.error("Installing codex, gemini-cli and opencode at their pinned versions (about 250 MB) …");
  const { status } = spawnSync(
    "npm",
    ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"],
    {
      cwd: packageFolder,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  if (status !== 0) throw new Error("npm install in e2e/real-cli failed; it needs a registry, once");
}

function build(): void {
  console.error("Building ambit …");
  execFileSync(process.execPath, [join(repository, "scripts/build.mjs"), "--no-types"], {
    cwd: repository,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function link(name: string, target: string): void {
  symlinkSync(target, join(binFolder, name));
}

/** Its package brings one program per kind of machine, and a script of its own would copy the right one. */
function openCodeProgram(): string {
  const base = `opencode-${process.platform}-${process.arch}`;
  const names = [base, `${base}-baseline`, `${base}-musl`, `${base}-baseline-musl`];
  const programs = names.map((name) => join(packageFolder, "node_modules", name, "bin/opencode"));
  const runs = programs.find((program) => existsSync(program) && answersVersion(program));
  if (runs === undefined) throw new Error(`none of OpenCode's programs runs here: ${names.join(", ")}`);
  return runs;
}

/** One built for a newer processor dies at once. */
function answersVersion(program: string): boolean {
  const home = join(workFolder, "home-of-probe");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { status } = spawnSync(program, ["--version"], { env: { HOME: home }, stdio: "ignore" });
  rmSync(home, { recursive: true, force: true });
  return status === 0;
}

function linkFound(name: string): void {
  const found = (process.env["PATH"] ?? "")
    .split(":")
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
  if (found !== undefined) link(name, found);
}
