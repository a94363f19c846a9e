import * as z from "zod";
import { existsSync } from "node:fs";
import { countThings } from "../base/count-things.ts";
import { DelegationError, readErrorMessage } from "../base/delegation-error.ts";
import { explainUnexpectedFileTrouble, isStoreDamaged, isWriteTrouble } from "../base/file-trouble.ts";
import { backupFile, findBrokenEvent, isBackupOfAnother } from "../journal/back-up-store.ts";
import type { StoreReader } from "../journal/store.ts";
import type { Orphan } from "../workspace/orphans.ts";
import { repairStoreOf } from "./doctor/repair-store.ts";
import { cleanLeftovers, findLastingLeftovers, findLeftovers } from "../orchestrator/find-leftovers.ts";
import { checkRepository, missingContentKinds, canShareDependencies } from "../workspace/preflight.ts";
import { findUnfinishedMerge } from "../workspace/user-merge.ts";
import type { WorkspaceSettings } from "../workspace/worktree.ts";
import type { AppContext } from "./project/app-context.ts";
import { resolveConfig } from "../config/load-config.ts";
import { findTreesRoot } from "../project/find-project.ts";
import { planTrees } from "../project/trees-directory.ts";
import { checkTrust } from "../trust/check-trust.ts";
import { measureFolders } from "../containment/measure-folders.ts";
import { findCopiedDependencies } from "../workspace/copied-dependencies.ts";
import { checkAgents } from "./doctor/check-agents.ts";
import { checkCluster } from "./doctor/check-cluster.ts";
import { checkDisk } from "./doctor/check-disk.ts";
import { checkEarlierWork, checkLeftovers } from "./doctor/check-leftovers.ts";
import { checkMachine } from "./doctor/check-machine.ts";
import { checkOutside } from "./doctor/check-outside.ts";
import type { Finding } from "./doctor/finding.ts";
import { configInput } from "./project/config-input.ts";
import { findProject, openWorkspaces, readStore } from "./project/open-project.ts";
import { findDriver } from "./project/find-driver.ts";
import { findSupervisor, startSupervisor } from "./project/connect-supervisor.ts";
import { findTrustPlace } from "./project/require-trust.ts";
import { listStandingStories } from "./project/standing-stories.ts";
import { defineUseCase } from "./use-case.ts";

const MEGABYTE = 1_000_000;

const finding = () =>
  z.looseObject({
    name: z.string(),
    ok: z.boolean(),
    detail: z.string(),
    next: z.string().optional().describe("What to do"),
    is_advice: z.boolean().optional().describe("It is ok, but there is something to do"),
    is_absent: z.boolean().optional().describe("It is not there, and nothing needs it"),
  });

export type DoctorFinding = z.output<ReturnType<typeof finding>>;

/** Whether this machine and project are ready. Every finding is a fact that was looked at just now. */
export const doctorUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      fix: z.boolean().default(false).describe("Close what a dead supervisor left, remove leftovers"),
      repair: z.boolean().default(false).describe("Make a damaged store usable again"),
    }),
  output: () => z.looseObject({ ok: z.boolean(), findings: z.array(finding()) }),
  onlyPeople: ({ fix, repair }) => (fix || repair ? "never repairs the project" : undefined),
  runsProject: ({ fix }) => fix,
  run: async (context, { fix, repair }) => {
    const repaired = repair ? [await repairStoreOf(context)] : [];
    if (fix) await closeLeftWork(context);
    const findings = [
      ...repaired,
      ...(await checkMachine(context)),
      ...(await checkAgents(context)),
      ...(await checkProject(context, fix)),
      ...(await checkDecision(context)),
    ];
    return { ok: findings.every(({ ok }) => ok), findings: findings.map(describeFinding) };
  },
});

function describeFinding({ name, ok, detail, next, isAdvice, isAbsent }: Finding): DoctorFinding {
  return {
    name,
    ok,
    detail,
    ...(next === undefined ? {} : { next }),
    ...(isAdvice === true ? { is_advice: true } : {}),
    ...(isAbsent === true ? { is_absent: true } : {}),
  };
}

/** Starting a supervisor closes what a dead one left; then leftovers can go. */
async function closeLeftWork(context: AppContext): Promise<void> {
  const client = await startSupervisor(context);
  client.close();
  const workspaces = await openWorkspaces(context);
  await cleanLeftovers(workspaces, await readStore(context, (reader) => findLeftovers(workspaces, reader)));
}

/** An untrusted project is not defective, but nothing of it would run. */
async function checkDecision(context: AppContext): Promise<readonly Finding[]> {
  const place = findTrustPlace(context);
  if (place === undefined) return [];
  const { state, items, changes } = await checkTrust(place);
  if (state === "nothing-named")
    return [{ name: "trust", ok: true, detail: "the project names nothing that runs" }];
  if (state === "trusted")
    return [
      {
        name: "trust",
        ok: true,
        detail: `you trust the ${countThings(items.length, "thing")} that the project names`,
      },
    ];
  const detail = `you have not trusted ${countThings(changes.length, "thing")} that the project names`;
  return [{ name: "trust", ok: true, detail, next: "Look at them: ambit trust --show", isAdvice: true }];
}

/** Workspaces are tried out, which is not possible where nothing can be written: the disk is a finding of its own. */
async function checkWorkspaces(
  context: AppContext,
  workspaces: WorkspaceSettings,
): Promise<readonly Finding[]> {
  try {
    return [...(await checkPlace(context, workspaces)), ...(await checkCheckout(workspaces))];
  } catch (error) {
    const isFileTrouble = explainUnexpectedFileTrouble(error) !== undefined;
    const isTold = isFileTrouble && checkDisk(workspaces.stateDirectory).length > 0;
    if (!isTold && !isWriteTrouble(error)) throw error;
    return [];
  }
}

/** Why no workspace can be made of this repository, and which content a fresh checkout of it lacks. */
async function checkCheckout({ repository, stateDirectory }: WorkspaceSettings): Promise<readonly Finding[]> {
  const { host, workTree } = repository;
  const { notes, refusals } = await checkRepository({ directory: workTree, host, stateDirectory });
  const next =
    "Bring what tests need with workspace.setup or .worktreeinclude, see docs/guides/workspaces.md";
  return [
    ...refusals.map(({ message, recommendation }) => ({
      name: "repository",
      ok: false,
      detail: message,
      next: recommendation,
    })),
    ...notes
      .filter(({ kind }) => missingContentKinds.has(kind))
      .map(({ message }) => ({ name: "workspaces", ok: true, detail: message, next, isAdvice: true })),
  ];
}

/** Where workspaces are, and what each of them costs. */
async function checkPlace(context: AppContext, workspaces: WorkspaceSettings): Promise<readonly Finding[]> {
  const { repository, stateDirectory } = workspaces;
  const config = await resolveConfig(configInput(context));
  const wanted = config.ok ? config.config.values.workspace.dir : null;
  const trees = planTrees({ projectRoot: findTreesRoot(repository.workTree), stateDirectory, wanted });
  // Before the first story there is no folder in which it could be tried.
  if (!existsSync(stateDirectory))
    return [{ name: "workspaces", ok: true, detail: `in ${trees}` }, ...checkEarlierWork(trees)];
  const dependencies = await describeDependencies(workspaces);
  return [{ name: "workspaces", ok: true, detail: `in ${trees}; ${dependencies}` }];
}

/** A store that cannot be read hides everything about the project but its repository. */
async function checkProject(context: AppContext, isFixed: boolean): Promise<readonly Finding[]> {
  try {
    return await checkOpenProject(context, isFixed);
  } catch (error) {
    if (error instanceof DelegationError && unusablePlaces.has(error.code))
      return [{ name: "repository", ok: false, detail: error.message, next: error.recommendation }];
    if (!isStoreDamaged(error)) throw error;
    const [detail, next] = [readErrorMessage(error), "Repair it: ambit doctor --repair"];
    return [{ name: "store", ok: false, detail, next }, ...(await checkSupervisor(context)).findings];
  }
}

const unusablePlaces: ReadonlySet<string> = new Set(["NOT_A_REPOSITORY", "BARE_REPOSITORY"]);

async function checkOpenProject(context: AppContext, isFixed: boolean): Promise<readonly Finding[]> {
  const workspaces = await openWorkspaces(context);
  const places = await checkWorkspaces(context, workspaces);
  return readStore(context, async (reader) => {
    const { supervisor, findings } = await checkSupervisor(context);
    const open = (await reader?.openDelegations(1000)) ?? [];
    const standing = await listStandingStories(reader, context.directory);
    const orphans = await findLastingLeftovers(workspaces, reader);
    return [
      ...checkDisk(workspaces.stateDirectory),
      ...checkStore(context, reader, orphans),
      ...(await checkCluster(context)),
      {
        name: "open work",
        ok: standing.length === 0 || supervisor !== undefined,
        detail: `${open.length} open, ${describeSupervisor(supervisor, open.length > 0 && standing.length === 0)}`,
        next: isFixed
          ? "It could not be closed. See why the supervisor left: ambit supervisor status"
          : "A supervisor died. Close what it left: ambit doctor --fix",
      },
      ...(await checkLeftovers(workspaces, orphans, isFixed)),
      ...(await checkOutside(reader)),
      ...findings,
      ...checkMerge(workspaces.stateDirectory),
      ...places,
    ];
  });
}

function describeSupervisor(supervisor: number | undefined, isAllWaiting: boolean): string {
  if (supervisor !== undefined) return `supervisor is process ${supervisor}`;
  return isAllWaiting
    ? "waiting for your answers; no supervisor is needed until then"
    : "supervisor not running";
}

/** Refs of stories that no store knows: it was deleted or emptied. */
function checkStore(
  context: AppContext,
  reader: StoreReader | undefined,
  orphans: readonly Orphan[],
): readonly Finding[] {
  const stories = new Set(
    orphans.flatMap((orphan) => ("id" in orphan && orphan.id !== undefined ? [orphan.id] : [])),
  );
  const { storeFile } = findProject(context);
  const restore = "Restore its backup: ambit doctor --repair";
  if (reader !== undefined && isBackupOfAnother(storeFile))
    return [{ name: "store", ok: false, detail: "it lacks events that its backup has", next: restore }];
  const broken = reader === undefined ? undefined : findBrokenEvent(storeFile);
  if (broken !== undefined)
    return [{ name: "store", ok: false, detail: broken, next: "Repair it: ambit doctor --repair" }];
  if (reader !== undefined || stories.size === 0) return [];
  const detail = `it is gone: git has work of ${countThings(stories.size, "delegation")} that no store knows`;
  const next = existsSync(backupFile(storeFile))
    ? restore
    : "There is no backup. Their work is on the branches delegation/… and ambit/… in git.";
  return [{ name: "store", ok: false, detail, next }];
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

/** How workspaces get the dependencies of the project, and what that costs. */
async function describeDependencies(workspaces: WorkspaceSettings): Promise<string> {
  if (await canShareDependencies(workspaces)) return "dependencies are shared by mounts";
  const { folders, sharesBlocks } = await findCopiedDependencies(workspaces);
  if (folders.length === 0) return "dependencies would be copied; there are none";
  const size = `${Math.ceil((await measureFolders(folders)) / MEGABYTE)} MB`;
  return sharesBlocks
    ? `each has a copy of the dependencies, which shares its disk blocks with yours (${size}, no space until it is changed)`
    : `each has a copy of the dependencies, ${size} on disk: this file system cannot share blocks (btrfs and XFS can), and root can mount them`;
}
