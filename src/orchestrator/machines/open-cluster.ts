import type { ResolvedConfig } from "../../config/resolved-config.ts";
import type { Dispatchers } from "../../dispatch/open-dispatcher.ts";
import { DEFAULT_POOL } from "../../contract/machine-owner.ts";
import { clusterErrors } from "../../errors/cluster.ts";
import type { Board, Machines } from "../../journal/machines.ts";
import { readMembership } from "../../journal/refresh-tables.ts";
import { storeFile } from "../../journal/store-file.ts";
import type { RecordableEvent } from "../../journal/store.ts";
import { learnSecrets } from "../../redaction/learn-secrets.ts";
import { Hub, nameBaseRef, nameWorkRefs } from "../../workspace/hub.ts";
import type { Repository } from "../../workspace/repository.ts";
import type { Environment } from "../ports/story-origins.ts";
import type { SentOutput } from "./sent-output.ts";

/** The connections between the machines of a cluster, besides the journal. */
export interface ClusterTools {
  readonly hub: Hub;
  readonly machines: Machines;
  readonly dispatchers: Dispatchers;
  readonly board: Board;
  /** Refuses what carries offers if this machine cannot reach it. */
  readonly checkDispatch: () => Promise<void>;
  readonly leaseMs: number;
  readonly keepEveryMs: number;
  /** The maximum of workers on all machines at once; null if the project's own limit counts. */
  readonly slotCap: number | null;
  /** The pool whose machines run an agent. */
  readonly poolOf: (agent: string | null) => string;
  close(): Promise<void>;
}

export interface ClusterPlace {
  readonly projectRoot: string;
  readonly environment: Environment;
  readonly repository: Repository;
  readonly settings: ResolvedConfig["values"]["cluster"];
}

/** Undefined for a project that one machine runs: it is in no cluster, or its cluster has no hub. */
export async function openCluster(place: ClusterPlace): Promise<ClusterTools | undefined> {
  const { environment, repository, settings } = place;
  const project = readMembership(storeFile(place.projectRoot))?.project;
  if (project === undefined || settings.hub === null) return undefined;
  const {
    Board: OpenBoard,
    Machines: OpenMachines,
    requireAddress,
  } = await import("../../journal/machines.ts");
  const { checkRedis, Dispatchers: OpenDispatchers } = await import("../../dispatch/open-dispatcher.ts");
  const address = requireAddress(environment);
  const url = settings.dispatch === "redis" ? readRedisAddress(environment) : address.url;
  const hub = new Hub({ url: settings.hub, repository, sshAgent: environment["SSH_AUTH_SOCK"] });
  await hub.check(project);
  const dispatchers = new OpenDispatchers({ kind: settings.dispatch, url, project });
  const machines = new OpenMachines(address, project);
  const board = new OpenBoard(address, project);
  return {
    hub,
    machines,
    dispatchers,
    board,
    // PostgreSQL has just answered.
    checkDispatch: async () => (settings.dispatch === "redis" ? checkRedis(url) : undefined),
    leaseMs: settings.lease * 1000,
    keepEveryMs: settings.keepEvery * 1000,
    slotCap: settings.maxConcurrent,
    poolOf: (agent) => findPool(settings.pools, agent),
    close: async () => {
      await dispatchers.close();
      await board.close();
      await machines.close();
    },
  };
}

function findPool(pools: Readonly<Record<string, readonly string[]>>, agent: string | null): string {
  const found = Object.entries(pools).find(([, agents]) => agent !== null && agents.includes(agent));
  return found?.[0] ?? DEFAULT_POOL;
}

function readRedisAddress(environment: Environment): string {
  const url = environment["AMBIT_CLUSTER_REDIS_URL"]?.trim() ?? "";
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) throw clusterErrors.redisMissing();
  learnSecrets({ CLUSTER_REDIS_PASSWORD: new URL(url).password });
  return url;
}

/**
 * Sends the output of agents and pushes commits to the hub before the journal names them. The store is open before the
 * hub is known.
 */
export class HubGate {
  hub: Hub | undefined;
  output: SentOutput | undefined;

  readonly pushNamed = async (event: RecordableEvent): Promise<void> => {
    const { type, data, delegation } = event;
    await this.output?.sendBefore(event);
    if (this.hub === undefined || delegation === null) return;
    if (type === "work-kept") await this.hub.push(nameWorkRefs(delegation, data));
    // A worker usually starts from a branch that was just read from the hub; its base gets a ref with its work.
    if (type === "workspace-created" && !this.hub.has(data.base))
      await this.hub.push([nameBaseRef(delegation, data.base)]);
  };

  /** Removes what a machine that was cut off pushed after the hub had forgotten the story: no later step would remove it. */
  readonly takeBack = async ({ type, delegation }: RecordableEvent): Promise<void> => {
    if (type === "work-kept" || type === "workspace-created")
      await this.hub?.forget((id) => id === delegation).catch(() => undefined);
  };
}
