import * as z from "zod";
import { type Checkpoint, verifyJournal, type JournalVerdict } from "../journal/verify-journal.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { readMembership, refreshTables } from "../journal/refresh-tables.ts";
import { type JournalAnchor, readCheckpointAnchor, readJournalAnchor } from "../workspace/journal-anchor.ts";
import { findProject, openWorkspaces } from "./project/open-project.ts";
import { type AppContext, defineUseCase } from "./use-case.ts";
import { describeVerdict, verdictFields, type CheckFailure } from "./check/verdict.ts";

const output = () =>
  z.looseObject({
    valid: z.boolean(),
    events: z.int(),
    head_hash: z.string(),
    first_bad: z.looseObject({ seq: z.int(), reason: z.string() }).nullable(),
    differing_projections: z.array(z.string()),
    checkpoint_events: z
      .int()
      .describe("How many events were not replayed, because a checkpoint holds what they led to"),
    ...verdictFields(),
  });

/** Whether the journal is what was written, and whether every projection matches it. It always covers the whole journal. */
export const auditVerifyUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      full: z.boolean().optional().describe("Replays every event, also those that a checkpoint covers"),
    }),
  output,
  isReadOnly: true,
  run: async (context, { full = false }) => {
    const verdict = await verifyEverywhere(context, await findAnchors(context, full));
    const { events, headHash, firstBad, differingProjections, checkpointEvents = 0 } = verdict;
    const failures = findFailures(verdict);
    return {
      valid: failures.length === 0,
      events,
      head_hash: headHash,
      first_bad: firstBad === undefined ? null : { ...firstBad },
      differing_projections: [...differingProjections],
      checkpoint_events: checkpointEvents,
      ...describeVerdict(
        `${events} events, head ${headHash}: the chain holds and every projection matches it${describeCheckpoint(checkpointEvents)}`,
        failures,
      ),
    };
  },
});

function describeCheckpoint(events: number): string {
  return events === 0 ? "" : ` (the first ${events} by a checkpoint that git knows; --full replays them)`;
}

/** Of a project in a cluster, also what PostgreSQL has: the tables of this machine were checked when they were made. */
async function verifyEverywhere(
  context: AppContext,
  { journal, checkpoint }: Anchors,
): Promise<JournalVerdict> {
  const { environment } = context;
  const { storeFile } = findProject(context);
  const project = readMembership(storeFile)?.project;
  if (project === undefined) return verifyJournal(storeFile, journal, checkpoint);
  const { findBrokenLink } = await import("../journal/cluster.ts");
  const seq = await findBrokenLink({ file: storeFile, project, environment });
  if (seq === undefined) await refreshTables(storeFile, environment);
  const verdict = verifyJournal(storeFile, journal, checkpoint);
  return seq === undefined
    ? verdict
    : { ...verdict, firstBad: { seq, reason: "PostgreSQL has another text" } };
}

/** The facts that git keeps about the journal. */
interface Anchors {
  readonly journal?: JournalAnchor | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

/** A repository that git cannot open has no anchors; the chain is verified all the same. */
async function findAnchors(context: AppContext, full: boolean): Promise<Anchors> {
  try {
    const { repository } = await openWorkspaces(context);
    const journal = await readJournalAnchor(repository);
    return full ? { journal } : { journal, checkpoint: await readCheckpointAnchor(repository) };
  } catch (error) {
    if (error instanceof DelegationError) return {};
    throw error;
  }
}

function findFailures({ firstBad, differingProjections }: JournalVerdict): readonly CheckFailure[] {
  if (firstBad !== undefined) {
    return [
      {
        code: "CHAIN_BROKEN",
        message: `The journal is not what was written: event ${firstBad.seq}: ${firstBad.reason}.`,
        suggestion:
          "Everything before that event is sound. Keep a copy of the store and restore it: ambit doctor --repair",
      },
    ];
  }
  if (differingProjections.length === 0) return [];
  return [
    {
      code: "PROJECTION_DIFFERS",
      message: `The chain holds, but ${describeDiffering(differingProjections)}.`,
      suggestion: "Rebuild them from the journal with ambit audit --rebuild.",
    },
  ];
}

function describeDiffering(names: readonly string[]): string {
  const tables = names.filter((name) => name !== "checkpoint");
  const sentences = [
    ...(tables.length === 0 ? [] : [`these tables differ from a replay of it: ${tables.join(", ")}`]),
    ...(tables.length === names.length ? [] : ["the checkpoint of its tables is not the one that git knows"]),
  ];
  return sentences.join("; ");
}
