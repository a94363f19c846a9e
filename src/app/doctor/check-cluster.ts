import { countThings } from "../../base/count-things.ts";
import { DelegationError } from "../../base/delegation-error.ts";
import { resolveConfig } from "../../config/load-config.ts";
import type { ClusterFacts } from "../../journal/cluster.ts";
import { readMembership } from "../../journal/refresh-tables.ts";
import type { AppContext } from "../project/app-context.ts";
import { configInput } from "../project/config-input.ts";
import { findProject, openWorkspaces } from "../project/open-project.ts";
import type { Finding } from "./finding.ts";

const MAX_QUIET_SKEW_MS = 2000;

/** Nothing for an embedded project. */
export async function checkCluster(context: AppContext): Promise<readonly Finding[]> {
  const { storeFile } = findProject(context);
  const membership = readMembership(storeFile);
  if (membership === undefined) return [];
  const { project } = membership;
  const { readCluster } = await import("../../journal/cluster.ts");
  const { environment, version } = context;
  return [
    ...(await orTell("cluster", async () => {
      const facts = await readCluster({ file: storeFile, project, environment });
      return [checkDatabase(facts), ...checkMachines(facts, version)];
    })),
    ...(await orTell("hub", () => checkHub(context, project))),
  ];
}

/** A pooler, a missing role, an old server or a clock that is off are refused with a sentence of their own. */
async function orTell(name: string, check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
    return [{ name, ok: false, detail: error.message, next: error.recommendation }];
  }
}

function checkDatabase({ place, version, there, skewMs, holder, runsHere }: ClusterFacts): Finding {
  const work = runsHere ? "the work runs here" : `the work runs on ${holder?.name ?? "no machine yet"}`;
  const detail = `PostgreSQL ${version} at ${place} has ${countThings(there?.seq ?? 0, "event")}; ${work}`;
  const isSkewed = Math.abs(skewMs) > MAX_QUIET_SKEW_MS;
  const advice = { next: `Set the clocks: they differ by ${Math.abs(skewMs)} ms`, isAdvice: true };
  return { name: "cluster", ok: there !== undefined, detail, ...(isSkewed ? advice : {}) };
}

/** Nothing where no machine ever worked for the project. */
function checkMachines({ machines }: ClusterFacts, ownVersion: string): readonly Finding[] {
  if (machines.length === 0) return [];
  const silent = machines.filter(({ isAlive }) => !isAlive).map(({ name }) => name);
  const others = machines.filter(({ isAlive, version }) => isAlive && version !== ownVersion);
  const detail = `${machines.length - silent.length} of ${countThings(machines.length, "machine")} heard`;
  const steps = [
    ...(silent.length === 0 ? [] : [`Look at ${silent.join(", ")}, or run ambit cluster remove`]),
    ...others.map(({ name, version }) => `Update ${name}: it runs ${version}, this machine ${ownVersion}`),
  ];
  const advice = steps.length === 0 ? {} : { next: steps.join(". "), isAdvice: true };
  return [{ name: "machines", ok: true, detail, ...advice }];
}

/** Nothing where one machine runs the work. */
async function checkHub(context: AppContext, project: string): Promise<readonly Finding[]> {
  const config = await resolveConfig(configInput(context));
  const url = config.ok ? config.config.values.cluster.hub : null;
  if (url === null) return [];
  const { repository } = await openWorkspaces(context);
  const { Hub } = await import("../../workspace/hub.ts");
  const hub = new Hub({ url, repository, sshAgent: context.environment["SSH_AUTH_SOCK"] });
  await hub.check(project);
  return [{ name: "hub", ok: true, detail: "this machine can read from it and push to it" }];
}
