import { DelegationError } from "../../base/delegation-error.ts";
import { readMembership } from "../../journal/refresh-tables.ts";
import type { AppContext } from "../project/app-context.ts";
import { findProject } from "../project/open-project.ts";
import type { Finding } from "./finding.ts";

const MAX_QUIET_SKEW_MS = 2000;

/** Nothing for an embedded project. */
export async function checkCluster(context: AppContext): Promise<readonly Finding[]> {
  const { storeFile } = findProject(context);
  const membership = readMembership(storeFile);
  if (membership === undefined) return [];
  const { readCluster } = await import("../../journal/cluster.ts");
  const { environment } = context;
  try {
    const facts = await readCluster({ file: storeFile, project: membership.project, environment });
    const { place, version, there, skewMs, holder, runsHere } = facts;
    const work = runsHere ? "the work runs here" : `the work runs on ${holder?.name ?? "no machine yet"}`;
    const detail = `PostgreSQL ${version} at ${place} has ${there?.seq ?? 0} event(s); ${work}`;
    const isSkewed = Math.abs(skewMs) > MAX_QUIET_SKEW_MS;
    const advice = { next: `Set the clocks: they differ by ${Math.abs(skewMs)} ms`, isAdvice: true };
    return [{ name: "cluster", ok: there !== undefined, detail, ...(isSkewed ? advice : {}) }];
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
    return [{ name: "cluster", ok: false, detail: error.message, next: error.recommendation }];
  }
}
