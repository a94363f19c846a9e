import * as z from "zod";
import { clusterErrors } from "../errors/cluster.ts";
import type { ClusterFacts, ClusterWish } from "../journal/cluster.ts";
import { asProjectOwner } from "../supervisor/project-lock.ts";
import type { AppContext } from "./project/app-context.ts";
import { findProject, openWorkspaces } from "./project/open-project.ts";
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
  });

export type ClusterAnswer = z.output<ReturnType<typeof output>>;

const nothing = () => z.strictObject({});

/** What PostgreSQL and this machine have of the project. */
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
      const { joinCluster } = await import("../journal/cluster.ts");
      return describeFacts(wish, await joinCluster(wish, take ? "take" : "ask"));
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

/** A supervisor has the store open, embedded or not; it must not be exchanged under it. */
async function asOwner<Result>(
  context: AppContext,
  action: (wish: ClusterWish) => Promise<Result>,
): Promise<Result> {
  const wish = await describeWish(context);
  const { root } = findProject(context);
  return asProjectOwner({ projectRoot: root, version: context.version }, () => action(wish));
}

async function describeWish(context: AppContext): Promise<ClusterWish> {
  const { storeFile } = findProject(context);
  const { readMembership } = await import("../journal/cluster.ts");
  const project = readMembership(storeFile)?.project ?? (await nameProject(context));
  return { file: storeFile, project, environment: context.environment };
}

async function nameProject(context: AppContext): Promise<string> {
  const { repository } = await openWorkspaces(context);
  const { findFirstCommit } = await import("../workspace/first-commit.ts");
  const project = await findFirstCommit(repository);
  if (project === undefined) throw clusterErrors.noCommit();
  return project;
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
  };
}
