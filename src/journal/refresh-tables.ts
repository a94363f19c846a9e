import { readMembership } from "./postgres/membership.ts";

export { readMembership };

/**
 * Before a project is read: brings the tables of this machine up to the journal of its cluster. Without the cluster's address
 * they are read as they are. Returns why they may be old.
 */
export async function refreshTables(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const project = readMembership(file)?.project;
  if (project === undefined) return undefined;
  const { bringUpTables } = await import("./postgres/bring-up-tables.ts");
  return bringUpTables(file, { project, environment });
}
