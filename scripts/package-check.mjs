// Packs what would be published, lints its shape and types, then runs it from a folder of its own.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const REQUIRED = [
  "dist/cli/main.cjs",
  "dist/lib/index.js",
  "dist/types/index.d.ts",
  "dist/cli/THIRD-PARTY-LICENSES.txt",
  "LICENSE",
  "README.md",
];
/** What every command loads before its own code. */
const MAX_FIRST_BYTES = 75_000;
/** 300 kB of it are what the machines of a cluster need (decision 0046). */
const MAX_PACKED_BYTES = 1_850_000;
const ALLOWED = /^(dist|plugin|schema)\/|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/;

const work = mkdtempSync(join(tmpdir(), "ambit-package-"));
try {
  const tarball = pack();
  run("publint", ["run", tarball, "--strict"]);
  const attw = ["--profile", "esm-only", "--exclude-entrypoints", "./package.json"];
  run("attw", [tarball, ...attw, "--no-summary", "--no-color", "--no-emoji"]);
  runInstalled(tarball);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Packed exactly as `npm pack` and `npm publish` do it, with their scripts: what these leave out is missing for users. */
function pack() {
  const argv = ["pack", "--json", "--pack-destination", work];
  const report = JSON.parse(
    execFileSync("npm", argv, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  const [{ filename, files, size }] = Object.values(report);
  if (size > MAX_PACKED_BYTES) fail(`the package has ${size} bytes, at most ${MAX_PACKED_BYTES} are allowed`);
  const paths = files.map(({ path }) => path);
  const missing = REQUIRED.filter((path) => !paths.includes(path));
  if (missing.length > 0) fail(`the package lacks ${missing.join(", ")}; run: npm run build`);
  const strangers = paths.filter((path) => !ALLOWED.test(path));
  if (strangers.length > 0) fail(`the package must not hold ${strangers.join(", ")}`);
  return join(work, filename);
}

/** The tarball unpacked beside its declared dependencies and nothing else: what an end user has. */
function runInstalled(tarball) {
  const modules = join(work, "node_modules");
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
  execFileSync("tar", ["-xzf", tarball, "-C", work]);
  renameSync(join(work, "package"), join(modules, manifest.name));
  const first = ["main.cjs", "common.cjs"].map((name) => join(modules, manifest.name, "dist/cli", name));
  const firstBytes = first.reduce((sum, file) => sum + statSync(file).size, 0);
  if (firstBytes > MAX_FIRST_BYTES)
    fail(`every command loads ${firstBytes} bytes, at most ${MAX_FIRST_BYTES} are allowed`);
  const version = node([join(modules, manifest.name, manifest.bin.ambit), "--version"]).trim();
  if (version !== manifest.version) fail(`ambit --version printed ${version}, expected ${manifest.version}`);
  for (const entry of Object.keys(manifest.exports).flatMap(expandEntry)) importEntry(entry);
  checkQuickAnswers(join(modules, manifest.name, manifest.bin.ambit));
  console.log(`installed package runs: ambit ${version}`);
}

/** What is asked all the time answers from one file of its own, without schemas. The build for coverage has no such files. */
function checkQuickAnswers(ambit) {
  const project = join(work, "project");
  const home = join(work, "home");
  mkdirSync(home);
  const options = {
    encoding: "utf8",
    env: { ...process.env, HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  };
  const author = ["-c", "user.name=U", "-c", "user.email=u@example.org"];
  execFileSync("git", ["init", "--quiet", project], options);
  const inProject = { ...options, cwd: project };
  execFileSync("git", [...author, "commit", "--quiet", "--allow-empty", "-m", "start"], inProject);
  const story = [
    "run",
    "Tidy up",
    "--id",
    "S-1",
    "--check",
    "test -f b.txt",
    "--in-process",
    "--",
    "touch",
    "b.txt",
  ];
  execFileSync(process.execPath, [ambit, ...story], inProject);
  for (const name of ["status", "list"]) {
    const report = join(work, `${name}.json`);
    const preload = `--require ${resolve("test/e2e/loaded-modules.cjs")}`;
    const env = { ...options.env, NODE_OPTIONS: preload, LOADED_MODULES: report };
    const answer = execFileSync(process.execPath, [ambit, name], { ...inProject, env });
    if (!answer.includes("S-1")) fail(`ambit ${name} does not name the story: ${answer}`);
    const { requests, schemas } = JSON.parse(readFileSync(report, "utf8"));
    const files = requests.filter((request) => request.startsWith("./")).join(", ");
    if (schemas || files !== `./quick-${name}.cjs`)
      fail(`ambit ${name} loads ${files || "no file"}, with schemas: ${schemas}`);
  }
}

function expandEntry(entry) {
  if (entry !== "./schema/*.json") return [entry];
  const files = readdirSync("schema", { recursive: true }).filter((file) => file.endsWith(".json"));
  return files.map((file) => `./schema/${String(file)}`);
}

function importEntry(entry) {
  const attributes = entry.endsWith(".json") ? ', { with: { type: "json" } }' : "";
  const statement = `await import("${join(manifest.name, entry)}"${attributes})`;
  node(["--no-warnings", "--input-type=module", "-e", statement]);
}

function node(argv) {
  return execFileSync(process.execPath, argv, { cwd: work, encoding: "utf8" });
}

function run(program, argv) {
  execFileSync(join("node_modules/.bin", program), argv, { stdio: "inherit" });
}

function fail(message) {
  console.error(`package check failed: ${message}`);
  process.exit(1);
}
