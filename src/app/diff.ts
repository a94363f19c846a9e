import * as z from "zod";
import { projectErrors } from "../errors/project.ts";
import type { Delegation, StoreReader } from "../journal/store.ts";
import type { LiveWork } from "../workspace/capture-live-work.ts";
import { readDiff, type Diff } from "../workspace/show-diff.ts";
import type { WorkspaceSettings } from "../workspace/worktree.ts";
import type { AppContext } from "./project/app-context.ts";
import { changedFileSchema, describeChangedFile } from "./project/changed-files.ts";
import { findWorkEnds, type Against, type FoundWork } from "../orchestrator/find-work-ends.ts";
import { findTarget } from "./project/find-target.ts";
import { openWorkspaces, readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";
import { eventsOfType, readEvents } from "./project/journal-events.ts";

export type { ChangedFile } from "./project/changed-files.ts";

const MAX_PATCH_BYTES = 16 * 1024 * 1024;

const input = () =>
  z.strictObject({
    id: z
      .string()
      .default("")
      .describe("An id, its beginning or a path such as 2.1; the newest story by default"),
    kind: z.enum(["stat", "names", "patch"]).default("patch"),
    against: z.enum(["base", "story"]).default("base"),
    attempt: z.int().min(1).optional().describe("Only what this attempt had changed when it ended"),
    compareWith: z.int().min(1).optional().describe("Shows the changes since this attempt"),
    paths: z.array(z.string()).optional().describe("Only these files and folders"),
    maxBytes: z.int().min(1).max(MAX_PATCH_BYTES).optional().describe("Longest patch"),
  });

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    id: z.string().nullable(),
    against: z.enum(["base", "story"]),
    from: z.string().nullable(),
    to: z.string().nullable(),
    files: z.array(changedFileSchema()),
    added: z.int(),
    removed: z.int(),
    patch: z.string().nullable().describe("Null unless a patch was asked for"),
    is_cut: z.boolean().describe("Whether files or lines were left out"),
    is_live: z
      .boolean()
      .describe("Whether these are the files of a worker at work; nothing of it is kept yet"),
  });

export type DiffAnswer = z.output<ReturnType<typeof output>>;

/** Reads the changes of a story's proven work, or of the work that was kept of one delegation. */
export const diffUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: async (context, { id, kind, against, attempt, compareWith, paths, maxBytes = MAX_PATCH_BYTES }) => {
    const found = await readStore(context, (reader) => findWork(reader, id, { attempt, compareWith }));
    if (found === undefined) return emptyDiff(against);
    const workspaces = await openWorkspaces(context);
    const isWhole = found.ends === undefined && against === "base";
    const live = isWhole ? await findLiveWork(workspaces, found) : undefined;
    const { from, to } =
      found.ends ?? live ?? (await findKeptWork(context, workspaces, { ...found, against }));
    const question = { from, to, kind, maxBytes, ...(paths === undefined ? {} : { paths }) };
    const diff = await readDiff(workspaces.repository, question);
    if (diff.isCut) context.warn(`The rest was left out; git diff ${from} ${to} shows all of it.`);
    const { story, id: delegation } = found.delegation;
    const is_live = live !== undefined;
    return { story, id: delegation, against, from, to, is_live, ...describeDiff(diff, kind) };
  },
});

/** A worker at work is shown as its files are now, unless all of them are kept already. */
async function findLiveWork(workspaces: WorkspaceSettings, found: FoundWork): Promise<LiveWork | undefined> {
  if (found.delegation.state !== "running") return undefined;
  const { captureLiveWork } = await import("../workspace/capture-live-work.ts");
  const live = await captureLiveWork(workspaces, found.delegation.id);
  const kept = await findWorkEnds(workspaces, { ...found, against: "base" });
  if (live === undefined || kept.status === "nothing-kept") return live;
  const { readTreeId } = await import("../workspace/look-up.ts");
  return (await readTreeId(workspaces.repository, kept.to)) === live.to ? undefined : live;
}

async function findKeptWork(
  context: AppContext,
  workspaces: WorkspaceSettings,
  question: FoundWork & { readonly against: Against },
): Promise<LiveWork> {
  const ends = await findWorkEnds(workspaces, question);
  if (ends.status === "nothing-kept") throw nothingKept(question.delegation);
  for (const warning of ends.warnings) context.warn(warning);
  return ends;
}

async function findWork(
  reader: StoreReader | undefined,
  word: string,
  {
    attempt,
    compareWith,
  }: { readonly attempt?: number | undefined; readonly compareWith?: number | undefined },
): Promise<(FoundWork & { readonly ends?: LiveWork }) | undefined> {
  const target = await findTarget(reader, word);
  if (reader === undefined || target === undefined) return undefined;
  const delegation = await reader.delegation(target.id);
  const root = await reader.delegation(target.story.id);
  if (delegation === undefined || root === undefined) return undefined;
  if (attempt === undefined && compareWith === undefined) return { delegation, root };
  const pair = { attempt: attempt ?? delegation.attempt, compareWith };
  return { delegation, root, ends: await findAttemptEnds(reader, delegation, pair) };
}

function describeDiff(
  diff: Diff,
  kind: "stat" | "names" | "patch",
): Pick<DiffAnswer, "added" | "files" | "is_cut" | "patch" | "removed"> {
  return {
    files: diff.files.map(describeChangedFile),
    added: diff.added,
    removed: diff.removed,
    patch: kind === "patch" ? diff.text : null,
    is_cut: diff.isCut,
  };
}

function emptyDiff(against: Against): DiffAnswer {
  const nothing = { story: null, id: null, from: null, to: null, patch: null };
  return { ...nothing, against, files: [], added: 0, removed: 0, is_cut: false, is_live: false };
}

function nothingKept({ id, state, workspace }: Delegation): Error {
  return projectErrors.nothingKept({ id, state, path: workspace?.path });
}

/** Which attempts of a delegation are compared; without `compareWith`, one with what it started from. */
interface AttemptPair {
  readonly attempt: number;
  readonly compareWith?: number | undefined;
}

/** The two commits whose difference is the work of one attempt, or what changed between two. */
async function findAttemptEnds(
  reader: StoreReader,
  { id, base }: Delegation,
  { attempt, compareWith }: AttemptPair,
): Promise<{ readonly from: string; readonly to: string }> {
  const kept = eventsOfType(await readEvents(reader, { delegation: id }), "work-kept");
  const find = (number: number) => {
    const last = kept.findLast((event) => event.attempt === number);
    if (last === undefined) throw projectErrors.attemptNotKept(id, number);
    return last.data;
  };
  const { tip: to, base: start } = find(attempt);
  return { from: compareWith === undefined ? (base ?? start) : find(compareWith).tip, to };
}
