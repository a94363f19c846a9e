import { hostname } from "node:os";
import * as z from "zod";
import { DEFAULT_POOL } from "../contract/machine-owner.ts";
import { clusterErrors } from "../errors/cluster.ts";
import { describeWish } from "./cluster/describe-wish.ts";
import { findProject } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const MAX_SLOTS = 64;
const DEFAULT_SLOTS = 4;
/** Each has a queue of its own, with connections. */
const MAX_POOLS = 8;
const DEFAULT_DRAIN_SECONDS = 3600;
/** A timer cannot wait longer. */
const MAX_DRAIN_SECONDS = 2_000_000;

/** Runs attempts for the coordinator of a cluster, on this machine, until it is asked to leave. */
export const workerUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      name: z.string().optional().describe("The name of this machine; by default the host's name"),
      slots: z.int().optional().describe("How many attempts run here at once; by default 4"),
      drain_seconds: z
        .int()
        .min(0)
        .optional()
        .describe("How long attempts may go on after a request to leave"),
      pool: z
        .string()
        .optional()
        .describe("The kinds of work it takes, with commas between them; by default that of no pool"),
      metrics: z.string().optional().describe("Host and port on which it answers Prometheus at /metrics"),
      once: z.boolean().default(false).describe("Leave after one attempt"),
      trust_agents: z.boolean().default(false).describe("Let agents run without a sandbox"),
    }),
  output: () =>
    z.looseObject({
      name: z.string(),
      offers: z.int().describe("How many offers it took; another machine may have been faster for some"),
    }),
  onlyPeople: "never becomes a machine of a cluster",
  runsProject: true,
  run: async (context, input) => {
    const { name = hostname(), slots = DEFAULT_SLOTS, drain_seconds: drain = DEFAULT_DRAIN_SECONDS } = input;
    const pools = [...new Set((input.pool ?? DEFAULT_POOL).split(","))];
    if (slots < 1 || slots > MAX_SLOTS) throw clusterErrors.slotsInvalid(slots, MAX_SLOTS);
    if (!/^[A-Za-z0-9][\w.-]{0,62}$/.test(name)) throw clusterErrors.nameInvalid(name);
    for (const pool of pools)
      if (!/^[A-Za-z0-9][\w-]{0,62}$/.test(pool)) throw clusterErrors.poolInvalid(pool);
    if (pools.length > MAX_POOLS) throw clusterErrors.poolsTooMany(pools.length, MAX_POOLS);
    const metrics = input.metrics === undefined ? undefined : readMetricsPlace(input.metrics);
    const { root } = findProject(context);
    const { joinAsWorker } = await import("../journal/cluster.ts");
    const { runWorker } = await import("../supervisor/run-worker.ts");
    const { machine } = await joinAsWorker(await describeWish(context));
    const offers = await runWorker({
      projectRoot: root,
      version: context.version,
      environment: context.environment,
      program: context.program,
      workerProgram: [...context.program, "__worker"],
      name,
      machine,
      slots,
      pools,
      metrics,
      trustsAgents: input.trust_agents,
      drainMs: Math.min(drain, MAX_DRAIN_SECONDS) * 1000,
      isOnce: input.once,
      log: context.progress,
    });
    return { name, offers };
  },
});

const MAX_PORT = 65_535;

function readMetricsPlace(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(":");
  const [host, port] = [text.slice(0, Math.max(0, colon)), Number(text.slice(colon + 1))];
  if (host === "" || !Number.isInteger(port) || port < 1 || port > MAX_PORT)
    throw clusterErrors.metricsInvalid(text);
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
}
