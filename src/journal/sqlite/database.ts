import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { DelegationError } from "../../base/delegation-error.ts";
import { journalErrors } from "../../errors/journal.ts";

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** Below this, several writing processes can corrupt a WAL database (the WAL-reset bug). */
const MIN_SAFE_SQLITE = [3, 51, 3] as const;

/** A thin, prepared-statement view of one SQLite connection. */
export class Database {
  readonly file: string;
  readonly #connection: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(file: string, options: { readonly readOnly: boolean }) {
    this.file = file;
    try {
      // Before the first read, because another process may be creating or recovering this file.
      this.#connection = new DatabaseSync(file, { ...options, timeout: 10_000 });
      assertSafeVersion(this.text("SELECT sqlite_version() AS value"));
      // Opening is lazy: only a read shows whether this is a database at all.
      this.execute("PRAGMA schema_version");
    } catch (error) {
      throw error instanceof DelegationError ? error : journalErrors.storeUnusable(file, error);
    }
  }

  run(sql: string, values: readonly Value[] = []): number {
    return this.#prepare(sql).run(...values).changes;
  }

  row(sql: string, values: readonly Value[] = []): Row | undefined {
    const row: unknown = this.#prepare(sql).get(...values);
    return isRow(row) ? row : undefined;
  }

  rows(sql: string, values: readonly Value[] = []): readonly Row[] {
    const rows: unknown = this.#prepare(sql).all(...values);
    return Array.isArray(rows) ? rows.filter(isRow) : [];
  }

  /** The column `value` of the first row as text, or "". */
  text(sql: string, values: readonly Value[] = []): string {
    const value = this.row(sql, values)?.["value"];
    return typeof value === "string" ? value : "";
  }

  /** The column `value` of the first row as a number, or 0. */
  number(sql: string, values: readonly Value[] = []): number {
    const value = this.row(sql, values)?.["value"];
    return typeof value === "number" ? value : 0;
  }

  /** Several statements at once; for schemas and transaction control. */
  execute(sql: string): void {
    this.#connection.exec(sql);
  }

  get isInTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #prepare(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const SQLITE_BUSY = 5;

export function isBusy(error: unknown): boolean {
  const cause = error instanceof DelegationError ? error.cause : error;
  return typeof cause === "object" && cause !== null && "errcode" in cause && cause.errcode === SQLITE_BUSY;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null;
}

function assertSafeVersion(version: string): void {
  const parts = version.split(".").map(Number);
  for (const [index, oldest] of MIN_SAFE_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part > oldest) return;
    if (part < oldest) throw journalErrors.sqliteTooOld(version);
  }
}
