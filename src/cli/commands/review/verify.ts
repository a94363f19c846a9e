import { exitCode } from "../../../contract/exit-code.ts";
import type { Delegation, StoreReader } from "../../../journal/store.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderCriteria } from "../../render/criteria-report.ts";
import { paint } from "../../render/paint.ts";
import { terminalWidth } from "../../render/terminal-width.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { readEvents } from "../see/read-events.ts";
import { taskLabel } from "../see/task-label.ts";
import { criteriaRows, unmetRows, type CriterionRow } from "../../../orchestrator/criteria-rows.ts";
import type { Verification, VerifiedWork, WorkerSum } from "./verified-work.ts";

/** What was to be true, and what is known about it. `--rerun` finds it out anew and records nothing. */
export async function verifyWork(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const found = await readStore(context, (reader) => lookUp(reader, invocation.argument("id")));
  if (found === undefined) return nothingToVerify;
  if (!invocation.flag("rerun")) return report(context, found, { rows: found.rows });
  const { rerunChecks } = await import("./rerun-checks.ts");
  return report(context, found, await rerunChecks(context, found));
}

async function lookUp(reader: StoreReader | undefined, word: string): Promise<VerifiedWork | undefined> {
  const target = await findTarget(reader, word);
  if (reader === undefined || target === undefined) return undefined;
  const tree = await reader.storyTree(target.story.id);
  const delegation = tree.find(({ id }) => id === target.id);
  if (delegation === undefined) return undefined;
  const workers = tree.filter(({ parent }) => parent === delegation.id);
  return {
    delegation,
    tree,
    rows: await readRows(reader, delegation),
    workers: await Promise.all(workers.map((worker) => sumUp(reader, worker))),
  };
}

export async function readRows(
  reader: StoreReader,
  delegation: Delegation,
): Promise<readonly CriterionRow[]> {
  const { id } = delegation;
  const events = await readEvents(reader, { delegation: id });
  return criteriaRows({ delegation, events, approvals: await reader.approvalsOf(id) });
}

async function sumUp(reader: StoreReader, worker: Delegation): Promise<WorkerSum> {
  const rows = await readRows(reader, worker);
  const required = rows.filter((row) => row.required).length;
  return { id: worker.id, outcome: worker.outcome, required, met: required - unmetRows(rows).length };
}

function report(
  context: CommandContext,
  { delegation, workers }: VerifiedWork,
  { rows, commit, interrupted }: Verification,
): CommandOutcome {
  const unmet = unmetRows(rows);
  const met = unmet.length === 0;
  const style = {
    ascii: context.ascii,
    width: terminalWidth(context.environment),
    paint: paint(context.color("stdout")),
    verbose: context.verbose,
  };
  const lines = [
    ...(rows.length === 0 ? [] : [renderCriteria(rows, style), ""]),
    ...workers.map((worker) => workerLine(worker, delegation.story)),
    ...(workers.length === 0 ? [] : [""]),
    renderVerdict({ ok: met, message: sumText(delegation.id, rows, unmet) }, context),
    ...(met || delegation.state !== "closed" ? [] : [`  next  ambit explain ${delegation.id}`]),
  ];
  return {
    exitCode: interrupted ?? (met ? exitCode.completed : exitCode.failed),
    json: {
      story: delegation.story,
      id: delegation.id,
      outcome: delegation.outcome,
      met,
      rerun: commit !== undefined,
      commit: commit ?? null,
      criteria: rows,
      workers,
    },
    text: lines.join("\n"),
  };
}

function workerLine({ id, outcome, required, met }: WorkerSum, story: string): string {
  return `${taskLabel(id, story)}  ${outcome ?? "open"}  ${met} of ${required} required criteria met`;
}

function sumText(id: string, rows: readonly CriterionRow[], unmet: readonly CriterionRow[]): string {
  const required = rows.filter((row) => row.required).length;
  if (required === 0) return `${id}: no criterion is required`;
  return `${id}: ${required - unmet.length} of ${required} required criteria are met`;
}

const nothingToVerify: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, id: null, met: true, rerun: false, commit: null, criteria: [], workers: [] },
  text: nothingYet,
};
