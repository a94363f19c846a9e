import type { Database } from "./database.ts";
import { projectionNames } from "./schema.ts";

const PAGE = 2000;

/** Names the projections whose rows differ from those in the file. */
export function compareProjections(database: Database, replayed: string): readonly string[] {
  database.execute(`ATTACH '${replayed.replaceAll("'", "''")}' AS replayed`);
  return projectionNames.filter((name) => !hasSameRows(database, name));
}

function hasSameRows(database: Database, table: string): boolean {
  const columns = listColumns(database, "main", table);
  if (columns.join() !== listColumns(database, "replayed", table).join()) return false;
  const counts = ["main", "replayed"].map((place) =>
    database.number(`SELECT count(*) AS value FROM ${place}.${table}`),
  );
  if (counts[0] !== counts[1]) return false;
  return isEqualByNumber(database, table, columns) || isEqualInOrder(database, table);
}

function listColumns(database: Database, place: string, table: string): readonly string[] {
  const rows = database.rows("SELECT name FROM pragma_table_info(?, ?)", [table, place]);
  return rows.map((row) => String(row.get("name")));
}

/** Compares inside SQLite, which need not make a row readable for that. */
function isEqualByNumber(database: Database, table: string, columns: readonly string[]): boolean {
  const differs = columns.map((name) => `ours."${name}" IS NOT theirs."${name}"`).join(" OR ");
  return (
    database.number(
      `SELECT EXISTS (SELECT 1 FROM main.${table} ours LEFT JOIN replayed.${table} theirs
         ON ours.rowid = theirs.rowid WHERE theirs.rowid IS NULL OR ${differs}) AS value`,
    ) === 0
  );
}

/** SQLite may number rows again when it compacts a file; their order stays. */
function isEqualInOrder(database: Database, table: string): boolean {
  for (let offset = 0; ; offset += PAGE) {
    const read = (place: string): ReturnType<Database["tuples"]> =>
      database.tuples(`SELECT * FROM ${place}.${table} ORDER BY rowid LIMIT ${PAGE} OFFSET ${offset}`);
    const ours = read("main");
    if (JSON.stringify(ours) !== JSON.stringify(read("replayed"))) return false;
    if (ours.length < PAGE) return true;
  }
}
