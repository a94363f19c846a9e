import type { LogQuestion, ProjectViews } from "../../app/project-views.ts";
import { readNumber, readWord } from "./query.ts";

/** One read request: the id in its path, and the query after the question mark. */
export interface Question {
  readonly id: string;
  readonly query: URLSearchParams;
}

type Read = (views: ProjectViews, question: Question) => Promise<unknown>;

/** Everything that can be read, by its path. A new view is one line here and one method of `ProjectViews`. */
export const reads: Readonly<Record<string, Read>> = {
  "/api/project": (views) => views.readProject(),
  "/api/performance": (views) => views.readFigures(),
  "/api/runs": (views, { query }) =>
    views.listStories(readNumber(query, "limit", { least: 1, most: 1000 }) ?? 50),
  "/api/runs/:id": (views, { id }) => views.readStory(id),
  "/api/runs/:id/timeline": (views, { id }) => views.readTimeline(id),
  "/api/runs/:id/cost": (views, { id }) => views.readCost(id),
  "/api/delegations/:id": (views, { id }) => views.readDelegation(id),
  "/api/delegations/:id/log": readLog,
  "/api/delegations/:id/diff": (views, { id, query }) =>
    views.readDiff({
      id,
      attempt: readNumber(query, "attempt", { least: 1, most: 1_000_000 }),
      compareWith: readNumber(query, "with", { least: 1, most: 1_000_000 }),
    }),
  "/api/runs/:id/work": (views, { id }) => views.readStoryWork(id),
  "/api/preview": (views, { query }) => views.adviseDraft(query.get("story") ?? ""),
  "/api/agents": (views) => views.listAgents(),
  "/api/health": (views) => views.readHealth(),
  "/api/inbox": (views) => views.readInbox(),
  "/api/tasks": (views) => views.readBoard(),
  "/api/audit": readAudit,
  "/api/audit/verify": (views) => views.verifyChain(),
  "/api/audit/:id": (views, { id }) => views.readEvent(/^\d{1,15}$/.test(id) ? Number(id) : 0),
};

function readLog(views: ProjectViews, { id, query }: Question): Promise<unknown> {
  return views.readLog(id, readLogQuestion(query));
}

export function readLogQuestion(query: URLSearchParams): LogQuestion {
  const stream = readWord(query, "stream");
  return {
    attempt: readNumber(query, "attempt", { least: 1, most: 1_000_000 }),
    stream: stream === "stderr" || stream === "prompt" ? stream : "stdout",
    from: readNumber(query, "from"),
    to: readNumber(query, "to"),
    line: readNumber(query, "line", { least: 1 }),
    first: readNumber(query, "first", { least: 1 }),
  };
}

function readAudit(views: ProjectViews, { query }: Question): Promise<unknown> {
  return views.readAudit({
    after: readNumber(query, "after"),
    before: readNumber(query, "before"),
    limit: readNumber(query, "limit", { least: 1, most: 1000 }) ?? 100,
    story: readWord(query, "run"),
    delegation: readWord(query, "delegation"),
    type: readWord(query, "type"),
    text: readWord(query, "text"),
  });
}
