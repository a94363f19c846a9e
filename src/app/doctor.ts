import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import { cleanLeftovers, describeOrphan, findLeftovers } from "../orchestrator/find-leftovers.ts";
import { checkRepository, missingContentKinds } from "../workspace/preflight.ts";
import { findUnfinishedMerge } from "../workspace/user-merge.ts";
import type { WorkspaceSettings } from "../workspace/worktree.ts";
import type { AppContext } from "./project/app-context.ts";
import { readStore } from "./project/open-project.ts";
import { checkTrust } from "../trust/check-trust.ts";
import { checkAgents } from "./doctor/check-agents.ts";
import { checkMachine } from "./doctor/check-machine.ts";
import type { Finding } from "./doctor/finding.ts";
import { openWorkspaces } from "./project/open-project.ts";
import { findDriver } from "./project/find-driver.ts";
import { findSupervisor, startSupervisor } from "./project/connect-supervisor.ts";
import { findTrustPlace } from "./project/require-trust.ts";
import { defineUseCase } from "./use-case.ts";

const finding = () =>
  z.looseObject({
    name: z.string(),
    ok: z.boolean(),
    detail: z.string(),
    next: z.string().optional().describe("What to do"),
    is_advice: z.boolean().optional().describe("It is ok, and there is something to do all the same"),
  });

export type DoctorFinding = z.output<ReturnType<typeof finding>>;

/** Whether this machine and project are ready. Every finding is a fact that was looked at just now. */
export const doctorUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      fix: z.boolean().default(false).describe("Close what a dead supervisor left, remove leftovers"),
    }),
  output: () => z.looseObject({ ok: z.boolean(), findings: z.array(finding()) }),
  onlyPeople: ({ fix }) => (fix ? "never repairs the project" : undefined),
  runsProject: ({ fix }) => fix,
  run: async (context, { fix }) => {
    if (fix) await repair(context);
    const findings = [
      ...(await checkMachine(context)),
      ...(await checkAgents(context)),
      ...(await checkProject(context, fix)),
      ...(await checkDecision(context)),
    ];
    return { ok: findings.every(({ ok }) => ok), findings: findings.map(describeFinding) };
  },
});

function describeFinding({ name, ok, detail, next, isAdvice }: Finding): DoctorFinding {
  return {
    name,
    ok,
    detail,
    ...(next === undefined ? {} : { next }),
    ...(isAdvice === true ? { is_advice: true } : {}),
  };
}

/** Starting a supervisor closes what a dead one left; then leftovers can go. */
async function repair(context: AppContext): Promise<void> {
  const client = await startSupervisor(context);
  client.close();
  const workspaces = await openWorkspaces(context);
  await cleanLeftovers(workspaces, await readStore(context, (reader) => findLeftovers(workspaces, reader)));
}

/** An untrusted project is no defect of it, but nothing of it would run. */
async function checkDecision(context: AppContext): Promise<readonly Finding[]> {
  const place = findTrustPlace(context);
  if (place === undefined) return [];
  const { state, items, changes } = await checkTrust(place);
  if (state === "nothing-named")
    return [{ name: "trust", ok: true, detail: "the project names nothing that runs" }];
  if (state === "trusted")
    return [{ name: "trust", ok: true, detail: `you trust the ${items.length} thing(s) the project names` }];
  const detail = `${changes.length} thing(s) the project names are not trusted`;
  return [{ name: "trust", ok: true, detail, next: "Look at them: ambit trust --show", isAdvice: true }];
}

/** What a fresh checkout of this repository lacks. */
async function checkMissing({ repository, stateDirectory }: WorkspaceSettings): Promise<readonly Finding[]> {
  const { host, workTree } = repository;
  const { notes } = await checkRepository({ directory: workTree, host, stateDirectory });
  const next =
    "Bring what tests need with workspace.setup or .worktreeinclude, see docs/guides/workspaces.md";
  return notes
    .filter(({ kind }) => missingContentKinds.has(kind))
    .map(({ message }) => ({ name: "workspaces", ok: true, detail: message, next, isAdvice: true }));
}

async function checkProject(context: AppContext, isFixed: boolean): Promise<readonly Finding[]> {
  const workspaces = await openWorkspaces(context);
  const missing = await checkMissing(workspaces);
  return readStore(context, async (reader) => {
    const { supervisor, findings } = await checkSupervisor(context);
    const open = (await reader?.openDelegations(1000)) ?? [];
    const orphans = await findLeftovers(workspaces, reader);
    return [
      {
        name: "open work",
        ok: open.length === 0 || supervisor !== undefined,
        detail: `${open.length} open, supervisor ${supervisor === undefined ? "not running" : `is process ${supervisor}`}`,
        next: "A supervisor died. Close what it left: ambit doctor --fix",
      },
      {
        name: "leftovers",
        ok: orphans.length === 0,
        detail: orphans.length === 0 ? "none" : orphans.map(describeOrphan).join("; "),
        next: isFixed
          ? "They may hold work. Look at each, then remove it yourself."
          : "Remove them: ambit doctor --fix",
      },
      ...findings,
      ...checkMerge(workspaces.stateDirectory),
      ...missing,
    ];
  });
}

/** A merge that was killed or met a full disk may have left git's lock on the index. */
function checkMerge(stateDirectory: string): readonly Finding[] {
  const unfinished = findUnfinishedMerge(stateDirectory);
  if (unfinished === undefined) return [];
  const { what, command } = unfinished;
  return [{ name: "merge", ok: false, detail: `${what} was interrupted`, next: `Complete it: ${command}` }];
}

/** The process that drives the work, and what is wrong with it. All else is checked without it. */
async function checkSupervisor(
  context: AppContext,
): Promise<{ readonly supervisor: number | undefined; readonly findings: readonly Finding[] }> {
  const supervisor = findDriver(context)?.pid;
  try {
    const client = await findSupervisor(context);
    client?.close();
    return { supervisor: client?.hello.pid ?? supervisor, findings: [] };
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
    const { message, recommendation } = error;
    return {
      supervisor,
      findings: [{ name: "supervisor", ok: false, detail: message, next: recommendation }],
    };
  }
}
