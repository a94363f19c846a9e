import * as z from "zod";
import { outcomes } from "../contract/outcome.ts";
import { workProofs } from "../contract/task.ts";
import type { Delegation, StoreReader } from "../journal/store.ts";
import { listUnmetRows, type CriterionRow } from "../orchestrator/criteria-rows.ts";
import type { AppContext } from "./project/app-context.ts";
import { findTarget } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";
import { criterionSchema, readCriteriaRows } from "./verify/read-criteria-rows.ts";
import type { VerifiedWork } from "./verify/verified-work.ts";

const input = () =>
  z.strictObject({
    id: z.string().describe("An id, its beginning or a path such as 2.1; empty for the newest story"),
    rerun: z.boolean().optional().describe("Run the checks again in a fresh checkout; records nothing"),
  });

const workerSchema = () =>
  z.looseObject({
    id: z.string(),
    outcome: z.enum(outcomes).nullable(),
    required: z.int().describe("Required criteria"),
    met: z.int(),
    proof: z.enum(workProofs).nullable().describe("The proof by its checks; null if it is not accepted"),
  });

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    id: z.string().nullable(),
    state: z.string().optional(),
    outcome: z.enum(outcomes).nullable().optional(),
    met: z.boolean(),
    rerun: z.boolean(),
    commit: z.string().nullable().describe("The commit that was checked again"),
    criteria: z.array(criterionSchema()),
    workers: z.array(workerSchema()),
  });

export type Verification = z.output<ReturnType<typeof output>>;

/** The acceptance criteria of work, how each is checked, and what was found. */
export const verifyUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  runsProject: ({ rerun }) => rerun === true,
  run: async (context, { id: word, rerun }) => {
    const found = await readStore(context, (reader) => readWork(reader, word));
    if (found === undefined) return nothingToVerify();
    const { delegation, workers } = found;
    const { rows, commit } =
      rerun === true ? await rerunAll(context, found) : { rows: found.rows, commit: null };
    const { story, id, state, outcome } = delegation;
    const criteria = rows.map(describeRow);
    const met = listUnmetRows(rows).length === 0;
    return { story, id, state, outcome, met, rerun: commit !== null, commit, criteria, workers };
  },
});

async function rerunAll(context: AppContext, work: VerifiedWork) {
  const { rerunChecks } = await import("./verify/rerun-checks.ts");
  return rerunChecks(context, work);
}

type FoundWork = VerifiedWork & { readonly workers: Verification["workers"] };

async function readWork(reader: StoreReader | undefined, word: string): Promise<FoundWork | undefined> {
  const target = await findTarget(reader, word);
  if (reader === undefined || target === undefined) return undefined;
  const tree = await reader.storyTree(target.story.id);
  const delegation = tree.find(({ id }) => id === target.id);
  if (delegation === undefined) return undefined;
  const workers = tree.filter(({ parent }) => parent === delegation.id);
  return {
    delegation,
    tree,
    rows: await readCriteriaRows(reader, delegation),
    holdsSandboxedWork: await reader.hasSandboxedWork(delegation.story),
    workers: await Promise.all(workers.map((worker) => countCriteria(reader, worker))),
  };
}

async function countCriteria(
  reader: StoreReader,
  worker: Delegation,
): Promise<Verification["workers"][number]> {
  const { id, outcome, proof } = worker;
  const rows = await readCriteriaRows(reader, worker);
  const required = rows.filter((row) => row.required).length;
  return { id, outcome, proof, required, met: required - listUnmetRows(rows).length };
}

function describeRow(row: CriterionRow): Verification["criteria"][number] {
  return { ...row };
}

function nothingToVerify(): Verification {
  const nothing = { story: null, id: null, commit: null, criteria: [], workers: [] };
  return { ...nothing, met: true, rerun: false };
}
