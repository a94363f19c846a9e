import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { until, type Project } from "../e2e/project.ts";

export interface EventFacts {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly delegation: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export function storeOf(project: Project): string {
  return join(project.root, ".git/ambit/ambit.db");
}

/**
 * Everything in the journal, in the order of the store. Read by a process of its own: the driver closes a connection
 * with prepared statements only when they are collected, and until then no disk under it can be remounted.
 */
export function readEvents(project: Project): readonly EventFacts[] {
  const words = ["-e", READ, storeOf(project)];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8", maxBuffer: 2 ** 28 }));
}

const READ = `
  const { DatabaseSync } = require("@photostructure/sqlite");
  const rows = new DatabaseSync(process.argv[1], { readOnly: true }).prepare("SELECT body FROM events ORDER BY seq").all();
  process.stdout.write("[" + rows.map(({ body }) => body).join(",") + "]");
`;

/** The ends that the journal knows of a story. */
export function endsOf(project: Project, story: string): readonly unknown[] {
  return readEvents(project)
    .filter(({ type, delegation }) => type === "delegation-closed" && delegation === story)
    .map(({ data }) => data);
}

/** Leaves the store as one file, as the last program does that ends normally. */
export function closeStore(project: Project): Promise<void> {
  return until("the store is one file", () => {
    onlyExecute(project, "PRAGMA wal_checkpoint(TRUNCATE)");
    return !existsSync(`${storeOf(project)}-wal`);
  });
}

/** Uses no prepared statement, because the driver closes only such a connection at once. */
function onlyExecute(project: Project, statements: string): void {
  const database = new DatabaseSync(storeOf(project));
  database.exec(statements);
  database.close();
}
