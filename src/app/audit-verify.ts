import * as z from "zod";
import { verifyJournal, type JournalVerdict } from "../journal/verify-journal.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { readMembership, refreshTables } from "../journal/refresh-tables.ts";
import { type JournalAnchor, readJournalAnchor } from "../workspace/journal-anchor.ts";
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
    ...verdictFields(),
  });

/** Whether the journal is what was written, and whether every projection matches it. It always covers the whole journal. */
export const auditVerifyUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output,
  isReadOnly: true,
  run: async (context) => {
    const verdict = await verifyEverywhere(context);
    const { events, headHash, firstBad, differingProjections } = verdict;
    const failures = findFailures(verdict);
    return {
      valid: failures.length === 0,
      events,
      head_hash: headHash,
      first_bad: firstBad === undefined ? null : { ...firstBad },
      differing_projections: [...differingProjections],
      ...describeVerdict(
        `${events} events, head ${headHash}: the chain holds and every projection matches it`,
        failures,
      ),
    };
  },
});

/** Of a project in a cluster, also what PostgreSQL has: the tables of this machine were checked when they were made. */
async function verifyEverywhere(context: AppContext): Promise<JournalVerdict> {
  const { environment } = context;
  const { storeFile } = findProject(context);
  const project = readMembership(storeFile)?.project;
  if (project === undefined) return verifyJournal(storeFile, await findAnchor(context));
  const { findBrokenLink } = await import("../journal/cluster.ts");
  const seq = await findBrokenLink({ file: storeFile, project, environment });
  if (seq === undefined) await refreshTables(storeFile, environment);
  const verdict = verifyJournal(storeFile, await findAnchor(context));
  return seq === undefined
    ? verdict
    : { ...verdict, firstBad: { seq, reason: "PostgreSQL has another text" } };
}

/** A repository that git cannot open has no anchor; the chain is verified all the same. */
async function findAnchor(context: AppContext): Promise<JournalAnchor | undefined> {
  try {
    return await readJournalAnchor((await openWorkspaces(context)).repository);
  } catch (error) {
    if (error instanceof DelegationError) return undefined;
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
      message: `The chain holds, but these tables differ from a replay of it: ${differingProjections.join(", ")}.`,
      suggestion: "Rebuild them from the journal with ambit audit --rebuild.",
    },
  ];
}
