import { runCommand } from "../../../base/run-command.ts";
import { probeContainment } from "../../../containment/probe-containment.ts";
import { probeSandbox } from "../../../containment/probe-sandbox.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { cleanLeftovers, describeOrphan, findLeftovers } from "../../../orchestrator/find-leftovers.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { readStore } from "../../../app/open-project.ts";
import { checkAgents } from "./diagnose-agents.ts";
import type { Finding } from "./finding.ts";
import { openWorkspaces } from "../../../app/open-project.ts";
import { runningSupervisor, startedSupervisor } from "./project-supervisor.ts";

/** Every line is a fact that was looked at just now; nothing is taken from a file that says so. */
export async function diagnose(context: CommandContext, fix: boolean): Promise<CommandOutcome> {
  if (fix) await repair(context);
  const findings = [
    checkNode(),
    await checkGit(context),
    ...(await checkContainment()),
    await checkSandbox(),
    ...(await checkAgents(context)),
    ...(await checkProject(context)),
  ];
  const ok = findings.every((finding) => finding.ok);
  return {
    exitCode: ok ? exitCode.completed : exitCode.environment,
    json: { ok, findings: findings.map(wireFinding) },
    text: findings.map((finding) => renderFinding(finding, context.ascii)).join("\n"),
  };
}

function wireFinding({ name, ok, detail, next }: Finding): Readonly<Record<string, unknown>> {
  return { name, ok, detail, ...(next === undefined ? {} : { next }) };
}

/** Starting a supervisor closes what a dead one left; then leftovers can go. */
async function repair(context: CommandContext): Promise<void> {
  const client = await startedSupervisor(context);
  client.close();
  const workspaces = await openWorkspaces(context);
  await cleanLeftovers(workspaces, await readStore(context, (reader) => findLeftovers(workspaces, reader)));
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return { name: "node", ok, detail: process.versions.node, next: "Install Node 20.19 or newer." };
}

async function checkGit(context: CommandContext): Promise<Finding> {
  const environment = { PATH: context.environment["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C" };
  const { stdout } = await runCommand({
    argv: ["git", "--version"],
    cwd: "/",
    environment,
    timeoutMs: 10_000,
  });
  const version = stdout.toString("utf8").trim().replace("git version ", "");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const ok = major > 2 || (major === 2 && minor >= 38);
  return {
    name: "git",
    ok,
    detail: version,
    next: "Install git 2.38 or newer: merging needs git merge-tree --write-tree.",
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
  ];
}

async function checkSandbox(): Promise<Finding> {
  const { tier, reason, lacks, loud } = await probeSandbox();
  const missing = lacks.length === 0 ? "" : `; lacks: ${lacks.join(", ")}`;
  return { name: "sandbox", ok: !loud, detail: `${tier}: ${reason}${missing}`, next: "Install bubblewrap." };
}

async function checkProject(context: CommandContext): Promise<readonly Finding[]> {
  const workspaces = await openWorkspaces(context);
  return readStore(context, async (reader) => {
    const supervisor = await runningSupervisor(context);
    supervisor?.close();
    const open = (await reader?.openDelegations(1000)) ?? [];
    const orphans = await findLeftovers(workspaces, reader);
    return [
      {
        name: "open work",
        ok: open.length === 0 || supervisor !== undefined,
        detail: `${open.length} open, supervisor ${supervisor === undefined ? "not running" : `is process ${supervisor.hello.pid}`}`,
        next: "A supervisor died. Close what it left: ambit doctor --fix",
      },
      {
        name: "leftovers",
        ok: orphans.length === 0,
        detail: orphans.length === 0 ? "none" : orphans.map(describeOrphan).join("; "),
        next: "Remove them: ambit doctor --fix",
      },
    ];
  });
}

function renderFinding(finding: Finding, ascii: boolean): string {
  const sign = finding.ok ? (ascii ? "ok  " : "✔") : ascii ? "FAIL" : "✖";
  const line = `${sign} ${finding.name.padEnd(18)} ${finding.detail}`;
  const isTold = finding.next !== undefined && (!finding.ok || finding.isAdvice === true);
  return isTold ? `${line}\n    next  ${finding.next}` : line;
}
