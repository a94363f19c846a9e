import { DelegationError } from "../../base/delegation-error.ts";
import { withPrivateGit } from "../git/private-directory.ts";
import { runGit } from "../git.ts";
import type { SlotContext } from "../slots/check-out.ts";
import { emptyTreeOf } from "./attributes.ts";
import type { TreeChange } from "./change-list.ts";
import { ownName } from "./make-commit.ts";

export interface TreeRequest {
  /** The commit whose tree is changed. */
  readonly onto: string;
  readonly changes: readonly TreeChange[];
  /** A commit of the new tree, the same as `makeCommit` makes; its first parent is `onto`. */
  readonly commit?: {
    readonly others: readonly string[];
    readonly message: string;
    readonly timeSeconds: number;
  };
}

export interface BuiltTree {
  readonly tree: string;
  readonly commit: string | undefined;
}

/** A commit's tree with changes made to it, by one git. The refs it moves are those of a throw-away folder. */
export async function buildTree(context: SlotContext, request: TreeRequest): Promise<BuiltTree> {
  const { repository, stateDirectory } = context;
  const { stdout } = await withPrivateGit(
    { repository, stateDirectory, head: request.onto, workTree: "/" },
    ({ place }) =>
      runGit({
        place,
        // No deltas, and no second program that unpacks a few dozen trees: both cost more than they are worth.
        arguments: [
          "-c",
          "fastimport.unpackLimit=10",
          "fast-import",
          "--quiet",
          "--force",
          "--done",
          "--depth=0",
        ],
        stdin: importScript(request),
      }),
  );
  const [entry = "", commit] = stdout.toString("latin1").split("\n");
  const [, type, id] = entry.split(/[ \t]/);
  const tree = entry.startsWith("missing") ? emptyTreeOf(repository) : type === "tree" ? id : undefined;
  if (tree === undefined) throw notBuilt(entry);
  return { tree, commit: request.commit === undefined ? undefined : commit };
}

function importScript({ onto, changes, commit }: TreeRequest): Buffer {
  const { others, message, timeSeconds } = commit ?? { others: [], message: "", timeSeconds: 0 };
  const text = Buffer.from(message.replaceAll("\0", ""), "utf8");
  const signature = `${ownName.name} <${ownName.email}> ${String(Math.floor(timeSeconds))} +0000\n`;
  const lines = [...changes].sort(removalsFirst).map(importLine);
  const head = `commit refs/heads/merged\nmark :1\nauthor ${signature}committer ${signature}data ${String(text.length)}\n`;
  const parents = `\nfrom ${onto}\n${others.map((other) => `merge ${other}\n`).join("")}`;
  return Buffer.concat([
    Buffer.from(head),
    text,
    Buffer.from(`${parents}${lines.join("")}ls ""\nget-mark :1\ndone\n`, "latin1"),
  ]);
}

/** What makes room for a folder, or for a file in a folder's place, goes before what takes it. */
function removalsFirst(left: TreeChange, right: TreeChange): number {
  return Number(right.kind === "removed") - Number(left.kind === "removed");
}

function importLine({ path, kind, newMode, newId }: TreeChange): string {
  return kind === "removed" ? `D ${quote(path)}\n` : `M ${newMode} ${newId} ${quote(path)}\n`;
}

/** As git quotes names: every byte but plain letters as three octal digits. */
function quote(path: string): string {
  const escaped = path.replaceAll(
    /[^ !#-[\]-~]/g,
    (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}

function notBuilt(answer: string): DelegationError {
  return new DelegationError({
    code: "GIT_FAILED",
    message: `git fast-import answered "${answer.slice(0, 200)}" instead of a tree`,
    recommendation: "`ambit doctor` checks git and the repository.",
  });
}
