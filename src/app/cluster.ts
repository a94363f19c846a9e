import * as z from "zod";
import type { ClusterFacts, ClusterWish } from "../journal/cluster.ts";
import { clusterErrors } from "../errors/cluster.ts";
import { asProjectOwner } from "../supervisor/project-lock.ts";
import type { AppContext } from "./project/app-context.ts";
import { describeWish } from "./cluster/describe-wish.ts";
import { findProject } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  z.looseObject({
    place: z.string().describe("Host, port and database; never the login"),
    project: z.string().describe("The first commit of the repository"),
    is_member: z.boolean().describe("Whether this project works on the journal in PostgreSQL"),
    server_version: z.string(),
    schema_version: z.int().describe("0 before the first ambit cluster init"),
    clock_skew_ms: z.int().describe("How far this machine's clock is ahead of the server's"),
    events_here: z.int(),
    events_there: z.int().nullable().describe("Null where the database does not know the project"),
    head_here: z.string(),
    head_there: z.string().nullable(),
    runs_on: z.string().nullable().describe("The machine that runs the project's work"),
    runs_here: z.boolean(),
    coordinated: z.boolean().describe("Whether a process coordinates the work in this moment"),
    epoch: z.int().describe("Counts the processes that have coordinated the work"),
    machines: z
      .array(
        z.looseObject({
          name: z.string(),
          slots: z.int(),
          used: z.int(),
          draining: z.boolean(),
          alive: z.boolean().describe("False when it was not heard for ten seconds"),
          version: z.string(),
          pool: z.string().describe("The kinds of work it takes, with commas between them"),
        }),
      )
      .describe("Those that run attempts"),
  });

export type ClusterAnswer = z.output<ReturnType<typeof output>>;

const nothing = () => z.strictObject({});

/** Shows which part of the project's journal PostgreSQL has, and which part this machine has. */
export const clusterStatusUseCase = defineUseCase({
  input: nothing,
  output,
  onlyPeople: "never sees the cluster",
  run: async (context) => {
    const { readCluster } = await import("../journal/cluster.ts");
    const wish = await describeWish(context);
    return describeFacts(wish, await readCluster(wish));
  },
});

/** Prepares the database and joins it, unless this machine has a journal that must be imported first. */
export const clusterInitUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      take: z.boolean().default(false).describe("Run the work here, although another machine has it"),
    }),
  output,
  onlyPeople: "never joins a cluster",
  run: (context, { take }) =>
    asOwner(context, async (wish) => {
      const { joinCluster, requireAddress } = await import("../journal/cluster.ts");
      const { prepareDispatch } = await import("../dispatch/open-dispatcher.ts");
      const facts = await joinCluster(wish, take ? "take" : "ask");
      await prepareDispatch(requireAddress(wish.environment).url);
      return describeFacts(wish, facts);
    }),
});

/** Copies the journal of this machine into the project's empty one and joins. */
export const clusterImportUseCase = defineUseCase({
  input: nothing,
  output,
  onlyPeople: "never joins a cluster",
  run: (context) =>
    asOwner(context, async (wish) => {
      const { importJournal } = await import("../journal/cluster.ts");
      return describeFacts(wish, await importJournal(wish));
    }),
});

/** Brings everything to this machine and continues without the cluster. */
export const clusterExportUseCase = defineUseCase({
  input: nothing,
  output: () => z.looseObject({ events: z.int() }),
  onlyPeople: "never leaves a cluster",
  run: (context) =>
    asOwner(context, async (wish) => {
      const { leaveCluster } = await import("../journal/cluster.ts");
      return { events: await leaveCluster(wish) };
    }),
});

const named = () => z.strictObject({ name: z.string().describe("The name of the machine") });
const asked = () => z.looseObject({ name: z.string() });

/** Asks a machine to end its attempts and leave. */
export const clusterDrainUseCase = defineUseCase({
  input: named,
  output: asked,
  onlyPeople: "never sends machines away",
  run: (context, { name }) => askOf(context, name, "drain"),
});

/** Closes the name of a machine: it stops at once, and its work is kept. */
export const clusterRemoveUseCase = defineUseCase({
  input: named,
  output: asked,
  onlyPeople: "never sends machines away",
  run: (context, { name }) => askOf(context, name, "remove"),
});

async function askOf(
  context: AppContext,
  name: string,
  wish: "drain" | "remove",
): Promise<{ readonly name: string }> {
  const { askMachine } = await import("../journal/cluster.ts");
  if (!(await askMachine(await describeWish(context), name, wish))) throw clusterErrors.machineUnknown(name);
  return { name };
}

/** A supervisor has the store open, embedded or not; it must not be exchanged under it. */
async function asOwner<Result>(
  context: AppContext,
  action: (wish: ClusterWish) => Promise<Result>,
): Promise<Result> {
  const wish = await describeWish(context);
  const { root } = findProject(context);
  return asProjectOwner({ projectRoot: root, version: context.version }, () => action(wish));
}

function describeFacts({ project }: ClusterWish, facts: ClusterFacts): ClusterAnswer {
  return {
    place: facts.place,
    project,
    is_member: facts.isMember,
    server_version: facts.version,
    schema_version: facts.schema,
    clock_skew_ms: facts.skewMs,
    events_here: facts.here.seq,
    events_there: facts.there?.seq ?? null,
    head_here: facts.here.hash,
    head_there: facts.there?.hash ?? null,
    runs_on: facts.holder?.name ?? null,
    runs_here: facts.runsHere,
    coordinated: facts.holder?.isAlive ?? false,
    epoch: facts.holder?.epoch ?? 0,
    machines: facts.machines.map(({ name, slots, used, draining, version, pools, isAlive }) => ({
      name,
      slots,
      used,
      draining,
      alive: isAlive,
      version,
      pool: pools.join(","),
    })),
  };
}
