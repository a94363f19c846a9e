import type { Message, MessageQuery, StoredTodo, TaskRecord } from "../model/store-mail.ts";
import type { CompletedSums, StoreTotals, StoryUse, WorkerTotals } from "../model/store-totals.ts";
import type {
  Approval,
  Delegation,
  EventFilter,
  EventPage,
  IdQuery,
  NamedDelegation,
  OutlinedDelegation,
  ProvenDelegation,
  StoredEvent,
  Story,
  StoreReader,
} from "../model/store.ts";
import type { Database } from "./database.ts";
import { readHead } from "./read-head.ts";
import { readMessage, readMessages, readTask, readTasks, readTodos } from "./read-mail.ts";
import {
  approvalFromRow,
  delegationFromRow,
  namedFromRow,
  provenFromRow,
  storyFromRow,
  readText,
} from "./rows.ts";
import { readOutline } from "./read-outline.ts";
import { readTotals } from "./totals.ts";
import { readStoryUse, readWorkerTotals } from "./worker-totals.ts";

/** Reads one SQLite store. Every query is bounded by its arguments or by one story. */
export class SqliteReader implements StoreReader {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async eventsAfter(cursor: number, limit: number, filter: EventFilter = {}): Promise<EventPage> {
    const [where, value] = filterClause(filter);
    const events = this.database
      .tuples(`SELECT seq, body, hash FROM events WHERE seq > ? ${where} ORDER BY seq LIMIT ?`, [
        cursor,
        ...(value === undefined ? [] : [value]),
        limit,
      ])
      .map(eventFromTuple);
    return { events, cursor: events.at(-1)?.seq ?? cursor };
  }

  async newestEvents(limit: number, filter: EventFilter = {}): Promise<readonly StoredEvent[]> {
    const [where, value] = filterClause(filter);
    return this.database
      .tuples(`SELECT seq, body, hash FROM events WHERE seq > 0 ${where} ORDER BY seq DESC LIMIT ?`, [
        ...(value === undefined ? [] : [value]),
        limit,
      ])
      .map(eventFromTuple)
      .toReversed();
  }

  async head(): Promise<{ seq: number; hash: string }> {
    return readHead(this.database);
  }

  async story(id: string): Promise<Story | undefined> {
    const row = this.database.row("SELECT * FROM stories WHERE id = ?", [id]);
    return row === undefined ? undefined : storyFromRow(row);
  }

  async stories(limit: number): Promise<readonly Story[]> {
    return this.database.rows("SELECT * FROM stories ORDER BY seq DESC LIMIT ?", [limit]).map(storyFromRow);
  }

  async storyIds(query: IdQuery): Promise<readonly string[]> {
    return readIds(this.database, "stories", query);
  }

  async delegation(id: string): Promise<Delegation | undefined> {
    return readDelegation(this.database, id);
  }

  async delegationIds(query: IdQuery): Promise<readonly string[]> {
    return readIds(this.database, "delegations", query);
  }

  async storyTree(id: string): Promise<readonly Delegation[]> {
    return this.database
      .rows("SELECT * FROM delegations WHERE story = ? ORDER BY seq", [id])
      .map(delegationFromRow);
  }

  async storyOutline(id: string): Promise<readonly OutlinedDelegation[]> {
    return readOutline(this.database, id);
  }

  async othersInStory(
    { id, story }: Pick<Delegation, "id" | "story">,
    limit: number,
  ): Promise<readonly NamedDelegation[]> {
    const others =
      "SELECT * FROM delegations WHERE story = ? AND depth > 0 AND id <> ? ORDER BY seq DESC LIMIT ?";
    return this.database
      .rows(`SELECT id, description, state, outcome FROM (${others}) ORDER BY seq`, [story, id, limit])
      .map(namedFromRow);
  }

  async provenInStory(id: string, also: readonly string[] = []): Promise<readonly ProvenDelegation[]> {
    const proven = "state IN ('verified', 'merged') OR (state = 'closed' AND outcome = 'completed')";
    const wanted = `${proven} OR id IN (SELECT value FROM json_each(?))`;
    const columns =
      "id, parent, state, outcome, candidate, merge_onto, checked_on, cancel_requested, waived, work";
    return this.database
      .rows(`SELECT ${columns} FROM delegations WHERE story = ? AND (${wanted}) ORDER BY seq`, [
        id,
        JSON.stringify(also),
      ])
      .map(provenFromRow);
  }

  async hasSandboxedWork(story: string): Promise<boolean> {
    const sandboxed = [
      "json_extract(work, '$.isolation') = 'sandbox'",
      "json_extract(work, '$.holdsSandboxedWork') = 1",
      "json_extract(workspace, '$.isolation') = 'sandbox'",
    ].join(" OR ");
    const query = `SELECT id FROM delegations WHERE story = ? AND (${sandboxed}) LIMIT 1`;
    return this.database.rows(query, [story]).length > 0;
  }

  async openDelegations(limit: number): Promise<readonly Delegation[]> {
    return this.database
      .rows("SELECT * FROM delegations WHERE state <> 'closed' ORDER BY seq LIMIT ?", [limit])
      .map(delegationFromRow);
  }

  async closedWithWorkspace(limit: number): Promise<readonly Delegation[]> {
    return this.database
      .rows(
        "SELECT * FROM delegations WHERE workspace IS NOT NULL AND state = 'closed' ORDER BY seq LIMIT ?",
        [limit],
      )
      .map(delegationFromRow);
  }

  async openStories(limit: number): Promise<readonly string[]> {
    const open = "SELECT story, min(seq) AS first FROM delegations WHERE state <> 'closed' GROUP BY story";
    return this.database.rows(`${open} ORDER BY first LIMIT ?`, [limit]).map((row) => readText(row, "story"));
  }

  async approvalsOf(delegation: string): Promise<readonly Approval[]> {
    return this.database
      .rows("SELECT * FROM approvals WHERE delegation = ? ORDER BY seq", [delegation])
      .map(approvalFromRow);
  }

  async openApprovals(limit: number): Promise<readonly Approval[]> {
    return this.database
      .rows(
        // Approvals of ended work need no answer.
        `SELECT * FROM approvals WHERE answer IS NULL AND EXISTS
           (SELECT 1 FROM delegations WHERE id = approvals.delegation AND state <> 'closed')
         ORDER BY seq LIMIT ?`,
        [limit],
      )
      .map(approvalFromRow);
  }

  async totals(): Promise<StoreTotals> {
    return readTotals(this.database);
  }

  async completedSums(): Promise<CompletedSums> {
    const row = this.database.row(
      `SELECT count(*) AS count, total(direct_micro) AS micro, total(input_tokens + cached_tokens) AS input,
         total(output_tokens) AS output FROM delegations WHERE depth > 0 AND outcome = 'completed'`,
    );
    const sum = (name: string): number => Number(row?.get(name) ?? 0);
    return {
      count: sum("count"),
      microUsd: sum("micro"),
      inputTokens: sum("input"),
      outputTokens: sum("output"),
    };
  }

  async storyUse(id: string): Promise<StoryUse> {
    return readStoryUse(this.database, id);
  }

  async workerTotals(): Promise<readonly WorkerTotals[]> {
    return readWorkerTotals(this.database);
  }

  async messages(query: MessageQuery): Promise<readonly Message[]> {
    return readMessages(this.database, query);
  }

  async message(id: string): Promise<Message | undefined> {
    return readMessage(this.database, id);
  }

  async todos(
    query: { readonly story: string } | { readonly manager: string },
  ): Promise<readonly StoredTodo[]> {
    return readTodos(this.database, query);
  }

  async task(id: string): Promise<TaskRecord | undefined> {
    return readTask(this.database, id);
  }

  async tasks(limit: number): Promise<readonly TaskRecord[]> {
    return readTasks(this.database, limit);
  }

  async close(): Promise<void> {
    this.database.close();
  }
}

export function readDelegation(database: Database, id: string): Delegation | undefined {
  const row = database.row("SELECT * FROM delegations WHERE id = ?", [id]);
  return row === undefined ? undefined : delegationFromRow(row);
}

/** Sorts after every character an id can contain, so that a prefix becomes a range of the primary key. */
const AFTER_EVERY_ID = "\u{10ffff}";

function readIds(database: Database, table: "stories" | "delegations", query: IdQuery): readonly string[] {
  const { prefix, after = "", limit } = query;
  return database
    .rows(`SELECT id FROM ${table} WHERE id >= ? AND id < ? AND id > ? ORDER BY id LIMIT ?`, [
      prefix,
      prefix + AFTER_EVERY_ID,
      after,
      limit,
    ])
    .map((row) => readText(row, "id"));
}

function filterClause(filter: EventFilter): readonly [string, string | undefined] {
  if (filter.delegation !== undefined) return ["AND delegation = ?", filter.delegation];
  if (filter.story !== undefined) return ["AND story = ?", filter.story];
  return ["", undefined];
}

function eventFromTuple([seq, body, hash]: readonly unknown[]): StoredEvent {
  if (typeof seq !== "number" || typeof body !== "string" || typeof hash !== "string")
    throw new TypeError("an event has columns of another kind");
  return { seq, body, hash };
}
