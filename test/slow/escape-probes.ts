/**
 * Attempts to get out of the sandbox: npm run test:escape
 * As root and as an ordinary user, with bubblewrap and with Landlock; each attempt also without the sandbox, where it
 * must succeed. Fails for any escape from bubblewrap, for one from Landlock that is not known, and for a control that
 * does not get out. `--only text` runs the probes whose name holds the text; `--tiers`, `--users` limit the rest.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchAndWait, runInSandbox, sandboxOf } from "../workspace/run-in-sandbox.ts";
import { fileProbes, repositoryProbes } from "./escape/file-probes.ts";
import { kernelProbes } from "./escape/kernel-probes.ts";
import { type Probe, sharedKey } from "./escape/probe.ts";
import { processProbes } from "./escape/process-probes.ts";
import { runControl, runProbe } from "./escape/run-probe.ts";
import { openStage, type Stage } from "./escape/stage.ts";
import { percentilesOf } from "./percentiles.ts";

const probes: readonly Probe[] = [...fileProbes, ...kernelProbes, ...processProbes, ...repositoryProbes];
const FEWEST_PROBES = 25;
const SPAWNS = 20;
const tiers = ["bubblewrap", "landlock"] as const;
type Tier = (typeof tiers)[number];

const { values } = parseArgs({
  options: {
    stage: { type: "string" },
    secret: { type: "string", default: "" },
    only: { type: "string", default: "" },
    users: { type: "string", default: "0,65534" },
    tiers: { type: "string", default: tiers.join(",") },
  },
});

if (values.stage === undefined) await runAllUsers();
else await runStage(values.stage);

/** Starts itself once per user: below a process with a key and a secret in its environment. */
async function runAllUsers(): Promise<void> {
  let failed = false;
  for (const user of values.users.split(",").map(Number)) {
    const root = mkdtempSync(join(tmpdir(), "ambit-escape-"));
    const secret = randomBytes(16).toString("hex");
    try {
      chmodSync(root, 0o755);
      mkdirSync(join(root, "suid"));
      copyFileSync("/usr/bin/id", join(root, "suid/id"));
      chmodSync(join(root, "suid/id"), 0o4755);
      chownSync(root, user, user);
      const [program = "", ...rest] = commandFor(user, root, secret);
      const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", AMBIT_CANARY: secret };
      const child = spawn(program, rest, { stdio: "inherit", env: environment });
      const [code] = await once(child, "exit");
      failed ||= code !== 0;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  process.exitCode = failed ? 1 : 0;
}

function commandFor(user: number, root: string, secret: string): readonly string[] {
  const wrapper = [
    `syscall(250, 1, 0); my ($t, $n, $s) = ("user", "ambit-" . substr($ARGV[1], 0, 8), $ARGV[1]);`,
    `syscall(248, $t, $n, $s, length $s, -3) > 0 or die "key: $!";`,
    `my $m = shmget(${String(sharedKey(secret))}, 64, 01600) // die "shm: $!"; shmwrite($m, $s, 0, 32);`,
    `system { $ARGV[2] } @ARGV[2 .. $#ARGV]; my $code = $? >> 8; shmctl($m, 0, 0); exit $code`,
  ].join(" ");
  const own = [process.execPath, process.argv[1] ?? "", "--stage", root, "--secret", secret];
  const options = ["--only", values.only, "--tiers", values.tiers];
  const asUser = ["setpriv", `--reuid=${String(user)}`, `--regid=${String(user)}`, "--clear-groups"];
  return [...(user === 0 ? [] : asUser), "perl", "-e", wrapper, root, secret, ...own, ...options];
}

async function runStage(root: string): Promise<void> {
  const stage = await openStage(root, values.secret);
  const user = process.getuid?.() === 0 ? "root" : "ordinary user";
  try {
    const chosen = probes.filter(({ name }) => name.includes(values.only));
    const toothless = await showControls(stage, chosen, user);
    let escapes = 0;
    for (const tier of tiers.filter((name) => values.tiers.split(",").includes(name)))
      escapes += await runTier(stage, { tier, chosen, user });
    if (values.only === "") await measure(stage, user);
    const tooFew = values.only === "" && chosen.length < FEWEST_PROBES;
    process.exitCode = escapes > 0 || toothless > 0 || tooFew ? 1 : 0;
  } finally {
    await stage.close();
  }
}

async function showControls(stage: Stage, chosen: readonly Probe[], user: string): Promise<number> {
  const sandbox = await sandboxOf("bubblewrap");
  let shown = 0;
  let toothless = 0;
  for (const probe of chosen) {
    const outcome = await runControl(stage, probe, sandbox);
    if (outcome !== undefined) shown += 1;
    if (outcome?.escaped === false) {
      toothless += 1;
      say(`  ✗ control stopped: ${probe.name}`);
    }
  }
  say(
    `${user}, controls: ${String(shown)} of ${String(chosen.length)} can be shown, ${String(toothless)} did not get out`,
  );
  return toothless;
}

interface TierRun {
  readonly tier: Tier;
  readonly chosen: readonly Probe[];
  readonly user: string;
}

/** Escapes that were not expected. */
async function runTier(stage: Stage, { tier, chosen, user }: TierRun): Promise<number> {
  const sandbox = await sandboxOf(tier);
  const escaped: { readonly probe: Probe; readonly how: readonly string[] }[] = [];
  for (const probe of chosen) {
    const { escaped: isOut, how } = await runProbe(stage, probe, sandbox);
    if (isOut) escaped.push({ probe, how });
  }
  const known = escaped.filter(({ probe }) => tier === "landlock" && probe.passesLandlock === true);
  const unknown = escaped.filter((entry) => !known.includes(entry));
  say(
    `${user}, ${tier}: ${String(chosen.length)} probes, ${String(unknown.length)} escapes, ${String(known.length)} known gaps`,
  );
  for (const { probe } of known) say(`    known gap: ${probe.name}`);
  for (const { probe, how } of unknown) say(`  ✗ ESCAPED: ${probe.name} (${how.slice(0, 3).join(", ")})`);
  return unknown.length;
}

/** Launch to end of a program that does nothing, in turns; first without a sandbox. */
async function measure(stage: Stage, user: string): Promise<void> {
  const { clone } = stage;
  const plain = { argv: ["/bin/true"], environment: { PATH: "/usr/bin:/bin" } };
  const [bubblewrap, landlock] = await Promise.all([sandboxOf("bubblewrap"), sandboxOf("landlock")]);
  const ways = [
    { name: "no sandbox", run: () => launchAndWait(plain, clone.path), times: new Array<number>() },
    { name: "bubblewrap", run: () => runInSandbox(bubblewrap, clone, plain), times: new Array<number>() },
    { name: "landlock", run: () => runInSandbox(landlock, clone, plain), times: new Array<number>() },
  ];
  for (let round = 0; round < SPAWNS; round += 1)
    for (const { run, times } of ways) {
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
  for (const { name, times } of ways) {
    const { p50, p99 } = percentilesOf(times);
    say(`${user}, ${name}: ${p50.toFixed(0)} ms (p50), ${p99.toFixed(0)} ms (p99) from launch to end`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
