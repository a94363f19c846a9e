import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { DelegationError } from "../../base/delegation-error.ts";
import { journalErrors } from "../../errors/journal.ts";

export type Value = string | number | null;

/** One row, read by the names of its columns. */
export class Row {
  readonly #columns: ReadonlyMap<string, number>;
  readonly #values: readonly unknown[];

  constructor(columns: ReadonlyMap<string, number>, values: readonly unknown[]) {
    this.#columns = columns;
    this.#values = values;
  }

  get(column: string): unknown {
    const index = this.#columns.get(column);
    return index === undefined ? undefined : this.#values[index];
  }

  /** Lets two rows be compared as text. */
  toJSON(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#columns].map(([column, index]) => [column, this.#values[index]]));
  }
}

/** Below this, several writing processes can corrupt a WAL database (the WAL-reset bug). */
const MIN_SAFE_SQLITE = [3, 51, 3] as const;

/** A thin, prepared-statement view of one SQLite connection. */
export class Database {
  readonly file: string;
  readonly #connection: DatabaseSyncInstance;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, options: { readonly readOnly: boolean }) {
    this.file = file;
    try {
      // The timeout is set before the first read, because another process may be creating or recovering this file.
      this.#connection = new DatabaseSync(file, { ...options, timeout: 10_000 });
      assertSafeVersion(this.text("SELECT sqlite_version() AS value"));
      // Opening is lazy: only a read shows whether this is a database at all.
      this.execute("PRAGMA schema_version");
    } catch (error) {
      throw error instanceof DelegationError ? error : journalErrors.storeUnusable(file, error);
    }
  }

  run(sql: string, values: readonly Value[] = []): number {
    return this.#prepare(sql).prepared.run(...values).changes;
  }

  row(sql: string, values: readonly Value[] = []): Row | undefined {
    const { prepared, columns } = this.#prepare(sql);
    const row: unknown = prepared.get(...values);
    return Array.isArray(row) ? new Row(columns, row) : undefined;
  }

  rows(sql: string, values: readonly Value[] = []): readonly Row[] {
    const { prepared, columns } = this.#prepare(sql);
    const rows: readonly unknown[] = prepared.all(...values);
    return rows.flatMap((row) => (Array.isArray(row) ? [new Row(columns, row)] : []));
  }

  /** Rows as plain lists in the order of the columns, for loops over very many. */
  tuples(sql: string, values: readonly Value[] = []): readonly (readonly unknown[])[] {
    const rows: readonly unknown[] = this.#prepare(sql).prepared.all(...values);
    return rows.filter(Array.isArray);
  }

  /** The column `value` of the first row as text, or "". */
  text(sql: string, values: readonly Value[] = []): string {
    const value = this.row(sql, values)?.get("value");
    return typeof value === "string" ? value : "";
  }

  /** The column `value` of the first row as a number, or 0. */
  number(sql: string, values: readonly Value[] = []): number {
    const value = this.row(sql, values)?.get("value");
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

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#connection.prepare(sql);
    // An object with as many properties as our widest table has columns takes six times as long to make.
    prepared.setReturnArrays(true);
    const columns = new Map(prepared.columns().map(({ name }, index) => [name, index]));
    const statement = { prepared, columns };
    this.#statements.set(sql, statement);
    return statement;
  }
}

interface Statement {
  readonly prepared: StatementSyncInstance;
  /** The position of each column in a row. */
  readonly columns: ReadonlyMap<string, number>;
}

const SQLITE_BUSY = 5;

export function isBusy(error: unknown): boolean {
  const cause = error instanceof DelegationError ? error.cause : error;
  return typeof cause === "object" && cause !== null && "errcode" in cause && cause.errcode === SQLITE_BUSY;
}

function assertSafeVersion(version: string): void {
  const parts = version.split(".").map(Number);
  for (const [index, oldest] of MIN_SAFE_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part > oldest) return;
    if (part < oldest) throw journalErrors.sqliteTooOld(version);
  }
}
