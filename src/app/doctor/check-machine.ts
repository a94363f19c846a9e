import { runCommand } from "../../base/run-command.ts";
import { probeContainment, type TierReport } from "../../containment/probe-containment.ts";
import { probeNetwork } from "../../containment/probe-network.ts";
import { probeSandbox } from "../../containment/probe-sandbox.ts";
import type { AppContext } from "../project/app-context.ts";
import type { Finding } from "./finding.ts";

/** Checks what this machine provides: Node, git, and ways to contain a worker. */
export async function checkMachine(context: AppContext): Promise<readonly Finding[]> {
  return [
    checkNode(),
    await checkGit(context),
    ...(await checkContainment()),
    await checkNetwork(),
    await checkSandbox(),
  ];
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return { name: "node", ok, detail: process.versions.node, next: "Install Node 20.19 or newer." };
}

async function checkGit(context: AppContext): Promise<Finding> {
  const environment = { PATH: context.environment["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" };
  const { stdout } = await runCommand({
    argv: ["git", "--version"],
    cwd: "/",
    environment,
    timeoutMs: 10_000,
  });
  return describeGit(stdout.toString("utf8").trim().replace("git version ", ""));
}

/** The first fix release of each minor version that knows GIT_NO_LAZY_FETCH; all later versions do. */
const LAZY_FETCH_FIXES: ReadonlyMap<number, number> = new Map([
  [39, 4],
  [40, 2],
  [41, 1],
  [42, 2],
  [43, 4],
  [44, 1],
]);

/** Pure: what to say about a version of git. */
export function describeGit(version: string): Finding {
  const [major = 0, minor = 0, fix = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const isAtLeast = (wanted: number): boolean => major > 2 || (major === 2 && minor >= wanted);
  const finding = { name: "git", ok: isAtLeast(38), detail: version };
  if (!finding.ok)
    return {
      ...finding,
      next: "Install git 2.38 or newer: merging needs git merge-tree --write-tree.",
    };
  if (isAtLeast(45) || fix >= (LAZY_FETCH_FIXES.get(minor) ?? Infinity)) return finding;
  return {
    ...finding,
    detail: `${version}: in a partial clone it may fetch missing objects by itself, with a command that a worker wrote into the repository's configuration`,
    next: "Install git 2.45 or newer, or the last fix release of your version from 2.39 on.",
    isAdvice: true,
  };
}

async function checkContainment(): Promise<readonly Finding[]> {
  const { tiers, best } = await probeContainment();
  const used = {
    name: "containment",
    ok: !best.loud,
    detail: `${best.tier}: ${best.promise}`,
    next: "Install bubblewrap.",
  };
  return [
    used,
    ...tiers.map(({ tier, available, reason }) => ({
      name: `  ${tier}`,
      ok: true,
      detail: `${available ? "yes" : "no"}: ${reason}`,
    })),
    describeImpersonation(best, process.getuid?.() === 0),
  ];
}

const AS_YOU =
  "in a worktree it runs as you, so it can still make another program of yours (cron, tmux, a start-up file of your shell) act for it";

/** Pure: what keeps a worker from acting in the person's name, and what does not. */
export function describeImpersonation(
  { tier, shielded }: Pick<TierReport, "tier" | "shielded">,
  isRoot: boolean,
): Finding {
  const name = "worker as you";
  if (tier === "pid-namespace") {
    const cover = isRoot ? "; a worker of root can take the cover away and is then recognised" : "";
    return {
      name,
      ok: true,
      detail: `refused; your socket, the journal and other workers' files are covered${cover}; ${AS_YOU}`,
    };
  }
  if (shielded)
    return {
      name,
      ok: true,
      detail: `recognised and refused, but your socket and the journal are visible; ${AS_YOU}`,
    };
  return {
    name,
    ok: true,
    detail:
      "a worker that detaches a process from its containment can approve, merge and start stories in your name",
    next: "Install bubblewrap, or set isolation: sandbox for work you do not trust.",
    isAdvice: true,
  };
}

async function checkNetwork(): Promise<Finding> {
  const network = await probeNetwork();
  const detail =
    network.kind === "works"
      ? "workers and checks can have one of their own, with the services that workspace.services names; agents in a sandbox reach their provider and nothing else"
      : `checks share that of this machine, workspace.services or not (verification.exclusive keeps them from colliding), and agents in a sandbox reach no provider without --network: ${network.why}`;
  return { name: "network", ok: true, detail };
}

async function checkSandbox(): Promise<Finding> {
  const { tier, reason, lacks, loud } = await probeSandbox();
  const missing = lacks.length === 0 ? "" : `. Its gaps: ${lacks.join("; ")}`;
  return { name: "sandbox", ok: !loud, detail: `${tier}: ${reason}${missing}`, next: "Install bubblewrap." };
}
