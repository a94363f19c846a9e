import { isatty } from "node:tty";
import { DelegationError } from "../../../base/delegation-error.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { Delegation, StoreReader } from "../../../journal/store.ts";
import { isOutside } from "../../../orchestrator/outside-manager.ts";
import { storyRefOf } from "../../../workspace/branch-names.ts";
import { readBranch } from "../../../workspace/look-up.ts";
import { mergeTips } from "../../../workspace/merge.ts";
import { readDiff, type Diff, type DiffFile } from "../../../workspace/show-diff.ts";
import type { WorkspaceSettings } from "../../../workspace/worktree.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { renderDiff } from "../../render/diff.ts";
import { paint } from "../../render/paint.ts";
import { terminalWidth } from "../../render/terminal-width.ts";
import { findTarget } from "../report/find-target.ts";
import { nothingYet, readStore } from "../report/project-store.ts";
import { projectWorkspaces } from "../work/project-workspaces.ts";

type Against = "base" | "story";
type Kind = "stat" | "names" | "patch";

/** What the work changed: a story's proven work, or what was kept of one delegation. */
export async function showDiff(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const kind = readKind(invocation);
  const against = invocation.option("against") === "story" ? "story" : "base";
  const found = await readStore(context, (reader) => lookUp(reader, invocation.argument("id")));
  if (found === undefined) return { ...nothingToShow, text: kind === "names" ? "" : nothingYet };
  const workspaces = await projectWorkspaces(context);
  const ends = await findEnds(context, workspaces, { ...found, against });
  if (ends === undefined) throw nothingKept(found.delegation);
  const diff = await readDiff(workspaces.repository, { ...ends, kind, maxBytes: MOST_BYTES });
  if (diff.isCut) context.warn(`the rest is left out; git diff ${ends.from} ${ends.to} shows all of it`);
  return {
    exitCode: exitCode.completed,
    json: documentOf(found.delegation, { ...ends, against, kind }, diff),
    text: renderDiff(diff, {
      kind,
      ascii: context.ascii,
      width: terminalWidth(context.environment),
      paint: paint(context.color("stdout")),
      isSafe: isatty(STDOUT),
    }),
  };
}

const STDOUT = 1;
const MOST_BYTES = 16 * 1024 * 1024;

function readKind(invocation: Invocation): Kind {
  const [stat, names] = [invocation.flag("stat"), invocation.flag("nameOnly")];
  if (stat && names) throw usage("--stat and --name-only are two different things", "Choose one of them.");
  if (stat) return "stat";
  return names ? "names" : "patch";
}

interface FoundWork {
  readonly delegation: Delegation;
  readonly root: Delegation;
}

async function lookUp(reader: StoreReader | undefined, word: string): Promise<FoundWork | undefined> {
  const target = await findTarget(reader, word);
  if (reader === undefined || target === undefined) return undefined;
  const delegation = await reader.delegation(target.id);
  const root = await reader.delegation(target.story.id);
  return delegation === undefined || root === undefined ? undefined : { delegation, root };
}

interface Ends {
  readonly from: string;
  /** A commit, or a tree that no commit has. */
  readonly to: string;
}

async function findEnds(
  context: CommandContext,
  workspaces: WorkspaceSettings,
  { delegation, root, against }: FoundWork & { readonly against: Against },
): Promise<Ends | undefined> {
  const story = await readBranch(workspaces.repository, storyRefOf(root.id));
  if (against === "story") return endsAgainstStory(context, workspaces, { delegation, root, story });
  const { base, tip, id, outcome } = delegation;
  if (base === null) return undefined;
  if (delegation.parent !== null || story === null) return tip === null ? undefined : { from: base, to: tip };
  if (outcome !== "completed" && tip !== null && tip !== base)
    context.warn(
      `this is what is proven; what is not, on delegation/${id}: ambit diff ${id} --against story`,
    );
  return isOutside(root) ? endsAgainstFiles(workspaces, base, story) : { from: base, to: story };
}

/** Its person has gone on working meanwhile, which must not look as if the story took that back. */
async function endsAgainstFiles(workspaces: WorkspaceSettings, base: string, story: string): Promise<Ends> {
  const merged = await mergeTips(workspaces, { ours: base, theirs: story });
  return { from: base, to: merged.status === "clean" ? merged.tree : story };
}

/** What merging it would change there: a plain comparison would show the others' work as removed. */
async function endsAgainstStory(
  context: CommandContext,
  workspaces: WorkspaceSettings,
  { delegation, root, story }: FoundWork & { readonly story: string | null },
): Promise<Ends | undefined> {
  const ours = story ?? root.base;
  const theirs = delegation.tip;
  if (ours === null || theirs === null) return undefined;
  const merged = await mergeTips(workspaces, { ours, theirs });
  if (merged.status === "conflict")
    context.warn(`it contradicts the story in ${merged.files.join(", ")}; markers show where`);
  return { from: ours, to: merged.tree };
}

function documentOf(
  { id, story }: Delegation,
  { from, to, against, kind }: Ends & { readonly against: Against; readonly kind: Kind },
  diff: Diff,
): Readonly<Record<string, unknown>> {
  return {
    story,
    id,
    against,
    from,
    to,
    files: diff.files.map(fileDocument),
    added: diff.added,
    removed: diff.removed,
    patch: kind === "patch" ? diff.text : null,
    is_cut: diff.isCut,
  };
}

export function fileDocument({ path, kind, oldPath, added, removed }: DiffFile): object {
  return { path, kind, old_path: oldPath ?? null, added, removed };
}

function nothingKept({ id, state, workspace }: Delegation): DelegationError {
  const where = workspace === null ? "" : ` What it does is in ${workspace.path}.`;
  return new DelegationError({
    code: "WORKSPACE_NOT_FOUND",
    message: `Nothing has been kept of ${id} yet; it is ${state}.${where}`,
    recommendation: `See what it says with ambit logs ${id}.`,
    recoverable: true,
  });
}

const nothingToShow: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, id: null, files: [], added: 0, removed: 0, patch: null, is_cut: false },
  text: nothingYet,
};
