import { readAuditEvent, readAuditPage } from "../documents/audit.ts";
import { readBoard } from "../documents/board.ts";
import { checkChain } from "../documents/chain-check.ts";
import { readWorkDiff } from "../documents/diff.ts";
import { readInbox } from "../documents/inbox.ts";
import { readLogPage } from "../documents/log-page.ts";
import { runCost } from "../documents/run-cost.ts";
import { runDocument, timelineDocument } from "../documents/run.ts";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import type { RunView } from "../live/run-view.ts";
import type { AuditPage, Diff, LogPage, Run, RunCost, Timeline } from "../wire.ts";
import { notFound } from "./answers.ts";
import type { ProjectReader } from "./project.ts";
import { wholeNumber, word } from "./query.ts";
import { readDetail } from "./read-detail.ts";

/** What a read is asked for: the id in its path, and what stands after the question mark. */
export interface Question {
  readonly id: string;
  readonly query: URLSearchParams;
}

type Read = (project: ProjectReader, question: Question) => Promise<unknown>;

/** Everything that can be read, by its path. A new view is one line here, one file in `documents`, one type in `wire.ts`. */
export const reads: Readonly<Record<string, Read>> = {
  "/api/project": (project) => project.project(),
  "/api/performance": (project) => project.figures(),
  "/api/runs": (project, { query }) =>
    project.summaries.list(project.reader(), wholeNumber(query, "limit", { least: 1, most: 1000 }) ?? 50),
  "/api/runs/:id": readRun,
  "/api/runs/:id/timeline": readTimeline,
  "/api/runs/:id/cost": readCost,
  "/api/delegations/:id": (project, { id }) => readDetail(project, id),
  "/api/delegations/:id/log": readLog,
  "/api/delegations/:id/diff": readDiffOf,
  "/api/inbox": (project) => readInbox(project.reader()),
  "/api/tasks": (project) =>
    readBoard({
      projectRoot: project.options.supervisor.projectRoot,
      host: project.options.host,
      dir: project.options.tasksDir,
      stateDirectory: project.stateDirectory,
    }),
  "/api/audit": readAudit,
  "/api/audit/verify": (project) => checkChain(project.reader()),
  "/api/audit/:id": readEvent,
};

async function readRun(project: ProjectReader, { id }: Question): Promise<Run> {
  const { reader, view } = await findRun(project, id);
  const [summary] = await project.summaries.of(reader, [id]);
  if (summary === undefined) throw notFound(`run ${id}`);
  return runDocument(view, summary, project.nowMs());
}

async function readTimeline(project: ProjectReader, { id }: Question): Promise<Timeline> {
  const { view } = await findRun(project, id);
  return timelineDocument(view, project.nowMs());
}

async function readCost(project: ProjectReader, { id }: Question): Promise<RunCost> {
  const { reader, view } = await findRun(project, id);
  const story = await reader.story(id);
  if (story === undefined) throw notFound(`run ${id}`);
  return runCost(view, { story, delegations: await reader.storyTree(id) }, project.nowMs());
}

async function readLog(project: ProjectReader, { id, query }: Question): Promise<LogPage> {
  const delegation = await findDelegation(project, id);
  const stream = word(query, "stream");
  return readLogPage(project.stateDirectory, delegation, {
    attempt: wholeNumber(query, "attempt", { least: 1, most: 1_000_000 }),
    stream: stream === "stderr" || stream === "prompt" ? stream : "stdout",
    from: wholeNumber(query, "from"),
    to: wholeNumber(query, "to"),
  });
}

async function readDiffOf(project: ProjectReader, { id }: Question): Promise<Diff> {
  const { id: delegation } = await findDelegation(project, id);
  return readWorkDiff(project.context, delegation);
}

function readAudit(project: ProjectReader, { query }: Question): Promise<AuditPage> {
  return readAuditPage(project.reader(), {
    after: wholeNumber(query, "after"),
    before: wholeNumber(query, "before"),
    limit: wholeNumber(query, "limit", { least: 1, most: 1000 }) ?? 100,
    run: word(query, "run"),
    delegation: word(query, "delegation"),
    type: word(query, "type"),
    text: word(query, "text"),
  });
}

async function readEvent(project: ProjectReader, { id }: Question): Promise<unknown> {
  const event = await readAuditEvent(project.reader(), /^\d{1,15}$/.test(id) ? Number(id) : 0);
  if (event === undefined) throw notFound(`event ${id}`);
  return event;
}

async function findRun(
  project: ProjectReader,
  id: string,
): Promise<{ readonly reader: StoreReader; readonly view: RunView }> {
  const reader = project.reader();
  const view = await project.view(id);
  if (reader === undefined || view === undefined) throw notFound(`run ${id}`);
  return { reader, view };
}

async function findDelegation(project: ProjectReader, id: string): Promise<Delegation> {
  const delegation = await project.reader()?.delegation(id);
  if (delegation === undefined) throw notFound(`delegation ${id}`);
  return delegation;
}
