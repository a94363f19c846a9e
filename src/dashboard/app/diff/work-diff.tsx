import { useEffect, useMemo, useState } from "react";
import type { Diff, DiffFile } from "../../../app/view-types.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Empty, Loading, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";
import { plural } from "../text/format.ts";
import { DiffLines } from "./diff-lines.tsx";
import { parsePatch, type PatchFile } from "./parse-patch.ts";

/** Larger diffs are shown on request. */
const MANY_LINES = 400;

interface WorkDiffProps {
  /** The delegation or story whose work is shown. */
  readonly id: string;
  /** A change loads the diff again. */
  readonly version: string | number;
  /** The worker that reads comments on lines; null if none is at work. */
  readonly worker: string | null;
  /** The attempts that are compared, as the address names them; empty for all of the work. */
  readonly attempts?: { readonly attempt: string; readonly compareWith: string };
  /** Paths that matter most: they come first. */
  readonly first?: readonly string[];
  /** Called once the changes are on the screen, or could not be loaded. */
  readonly onShown?: (isShown: boolean) => void;
}

const allAttempts = { attempt: "", compareWith: "" } as const;

/** Shows the changes of a delegation, file by file. */
export function WorkDiff({
  id,
  version,
  worker,
  attempts = allAttempts,
  first = [],
  onShown,
}: WorkDiffProps) {
  const { attempt, compareWith } = attempts;
  const query = new URLSearchParams({ attempt, with: compareWith }).toString();
  const url = `/api/delegations/${encodeURIComponent(id)}/diff${attempt + compareWith === "" ? "" : `?${query}`}`;
  const { answer, problem, reload } = useAnswer<Diff>({ url, fields: ["patch", "files"], version });
  const parsed = useMemo(() => parsePatch(answer?.patch ?? ""), [answer?.patch]);
  const isShown = answer?.missing === null;
  const isFailed = problem !== undefined || typeof answer?.missing === "string";
  useEffect(() => {
    if (isShown || isFailed) onShown?.(isShown);
  }, [isShown, isFailed, onShown]);
  if (answer === undefined) {
    return problem === undefined ? (
      <Loading what="the diff" />
    ) : (
      <ProblemNote problem={problem} onRetry={reload} />
    );
  }
  if (answer.missing !== null)
    return (
      <Empty title="No changes to show">
        <Outside text={answer.missing} />
      </Empty>
    );
  if (answer.files.length === 0)
    return <NoChanges isLive={answer.isLive} isComparison={compareWith !== ""} />;
  const files = answer.files.toSorted(
    (one, other) => Number(first.includes(other.path)) - Number(first.includes(one.path)),
  );
  return (
    <div className="stack">
      <DiffNote diff={answer} canComment={worker !== null} />
      {files.map((file) => (
        <FileDiff
          key={file.path}
          file={file}
          patch={parsed.find(({ path }) => path === file.path)}
          worker={worker}
        />
      ))}
    </div>
  );
}

function NoChanges({ isLive, isComparison }: { readonly isLive: boolean; readonly isComparison: boolean }) {
  if (isComparison) return <Empty title="No changes">Both attempts left the same files.</Empty>;
  return <Empty title="No changes">It has not changed any file{isLive ? " yet" : ""}.</Empty>;
}

function DiffNote({ diff, canComment }: { readonly diff: Diff; readonly canComment: boolean }) {
  return (
    <>
      <p className="numbers">
        {plural(diff.files.length, "file")} <Changes added={diff.added} removed={diff.removed} />{" "}
        <span className="quiet">
          {diff.isLive ? "As its files are now; nothing of it is proven or kept yet. " : ""}
          {canComment ? "Enter or click on a line writes to the worker about it." : ""}
        </span>
      </p>
      {diff.isCut ? (
        <p className="note tone-attention">The diff is long and was cut. ambit diff shows all of it.</p>
      ) : null}
    </>
  );
}

function Changes({ added, removed }: { readonly added: number | null; readonly removed: number | null }) {
  if (added === null || removed === null) return <span className="quiet">binary</span>;
  return (
    <span className="changes">
      <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
    </span>
  );
}

interface FileDiffProps {
  readonly file: DiffFile;
  readonly patch: PatchFile | undefined;
  readonly worker: string | null;
}

function FileDiff({ file, patch, worker }: FileDiffProps) {
  const count = patch?.lines.length ?? 0;
  const [isOpen, setOpen] = useState(count <= MANY_LINES);
  return (
    <details className="sheet file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="numbers">
        <Outside
          text={file.oldPath === null ? file.path : `${file.oldPath} → ${file.path}`}
          className="mono"
        />{" "}
        <span className="quiet">{file.kind}</span> <Changes added={file.added} removed={file.removed} />
      </summary>
      {isOpen && patch !== undefined && count > 0 ? <DiffLines patch={patch} worker={worker} /> : null}
      {count === 0 ? <p className="quiet pad">Nothing to show for this file.</p> : null}
    </details>
  );
}
