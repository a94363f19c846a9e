// A tour of the core, offline: a real repository, a real store, a story at its limits, a writer killed half-way.
// What you see is what the CLI prints; the worker is the built-in one, which follows a script instead of a model.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore, storeFile } from "../dist/lib/index.js";
import { defaultLimits } from "../dist/lib/contract.js";

const ambit = fileURLToPath(new URL("../dist/cli/main.cjs", import.meta.url));
const lease = { owner: "demo", leaseMs: 60_000, maxConcurrent: 3 };

if (process.argv[2] === "--writer") await writeForever(process.argv[3]);
else await tour();

async function tour() {
  const project = mkdtempSync(join(tmpdir(), "ambit-demo-"));
  try {
    execFileSync("git", ["init", "--quiet", project]);
    const store = openStore(storeFile(project));
    say("A story with $4.00, at most 4 workers, two levels deep. Its manager asks for more than that.");
    await tryLimits(store);
    await work(store);
    await store.close();
    for (const command of [["tree"], ["cost"], ["stats"]]) show(project, command);
    say("Somebody kills a process that is writing to the store, with SIGKILL.");
    await killWriter(project);
    show(project, ["audit", "--verify"]);
    say(
      "Nothing acknowledged is lost. Now a worker that writes a file, forks a daemon and hangs; it has two seconds.",
    );
    await hangingWorker(project);
    say(
      "Its tree is gone, its work is on a branch, the checkout is untouched. Next: npm test, and ambit --help.",
    );
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

async function tryLimits(store) {
  const limits = { ...defaultLimits, maxDelegations: 4, storyMicroUsd: 4_000_000 };
  await store.openStory({
    id: "US-007",
    kind: "story",
    title: "Add authentication",
    agent: "claude",
    limits,
  });
  await store.begin("US-007", 1, lease);
  await ask(
    store,
    "US-007",
    ["One", "Two", "Three", "Four", "Five"].map((description) => ({ description })),
  );
  await ask(store, "US-007", [
    { description: "JWT service", budgetMicroUsd: 1_000_000 },
    { description: "Login routes", agent: "claude" },
    { description: "Middleware; rm -rf" },
  ]);
  await store.begin("US-007-DEL-001", 1, lease);
  await ask(store, "US-007-DEL-001", [{ description: "Token refresh", budgetMicroUsd: 400_000 }]);
  await store.begin("US-007-DEL-001-DEL-001", 1, lease);
  await ask(store, "US-007-DEL-001-DEL-001", [{ description: "One level too deep" }]);
}

async function work(store) {
  const spend = (id, [inputTokens, outputTokens], microUsd) =>
    store.spend(id, 1, { inputTokens, cachedTokens: 0, outputTokens, microUsd, source: "simulated" });
  await spend("US-007", [25_000, 8_000], 2_500_000);
  await spend("US-007-DEL-001-DEL-001", [5_000, 1_200], 150_000);
  await store.settle("US-007-DEL-001-DEL-001", 1, {
    outcome: "partial",
    summary: "Refresh works, tests are missing.",
  });
  const { pressure } = await spend("US-007-DEL-001", [12_500, 3_200], 800_000);
  console.log(`US-007-DEL-001 has used $0.80 of its $1.00 beside what it lent: pressure is ${pressure}`);
}

async function ask(store, parent, requests) {
  for (const [index, answer] of (await store.admit({ parent, parentAttempt: 1, requests })).entries()) {
    const asked = requests[index].description;
    if (answer.admitted) console.log(`  admitted  ${answer.delegation.id}  ${asked}`);
    else
      console.log(
        `  refused   ${asked}: ${answer.failures.map((failure) => `${failure.code} ${failure.message}`).join("; ")}`,
      );
  }
}

function killWriter(project) {
  const writer = spawn(process.execPath, [fileURLToPath(import.meta.url), "--writer", project], {
    stdio: "ignore",
  });
  setTimeout(() => writer.kill("SIGKILL"), 700);
  return new Promise((resolve) => writer.on("exit", resolve));
}

async function writeForever(project) {
  const store = openStore(storeFile(project));
  for (let index = 0; ; index += 1) {
    await store.openStory({
      id: `W-${index}`,
      kind: "story",
      title: "busy",
      agent: "demo",
      limits: defaultLimits,
    });
  }
}

async function hangingWorker(project) {
  writeFileSync(join(project, "README.md"), "demo\n");
  writeFileSync(join(project, "ambit.yaml"), "delegation:\n  windDown:\n    graceSeconds: 1\n");
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=You", "-c", "user.email=you@localhost", ...words], {
      cwd: project,
    });
  git("add", "README.md", "ambit.yaml");
  git("commit", "--quiet", "--message", "start");
  const script = join(project, ".ambit", "hang.yaml");
  writeFileSync(script, "- write: {path: half.txt, text: half done}\n- fork: daemon\n- hang: deaf\n");
  show(project, [
    "run",
    "Hang around",
    "--id",
    "HANG-1",
    "--in-process",
    "--timeout",
    "2",
    "--script",
    script,
  ]);
  console.log(
    `\n$ git show delegation/HANG-1:half.txt\n${String(git("show", "delegation/HANG-1:half.txt"))}`,
  );
  show(project, ["doctor"]);
}

function show(project, command) {
  console.log(`\n$ ambit ${command.join(" ")}`);
  const { status } = spawnSync(process.execPath, [ambit, ...command], { cwd: project, stdio: "inherit" });
  if (status !== 0) console.log(`(exit status ${status})`);
}

function say(text) {
  console.log(`\n# ${text}`);
}
