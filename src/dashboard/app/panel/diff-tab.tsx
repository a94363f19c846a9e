import { useMemo, useState } from "react";
import type { Diff, DiffFile } from "../../../app/view-types.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Empty, Loading, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";
import { plural } from "../text/format.ts";
import { DiffLines } from "./diff-lines.tsx";
import type { TabProps } from "./tab-props.ts";
import { parsePatch, type PatchFile } from "./parse-patch.ts";

/** Larger diffs are shown on request. */
const MANY_LINES = 400;

export function DiffTab({ detail }: TabProps) {
  const { node, tip, can } = detail;
  const url = `/api/delegations/${encodeURIComponent(node.id)}/diff`;
  const version = `${tip ?? ""} ${node.state} ${detail.filesChanged.length}`;
  const { answer, problem, reload } = useAnswer<Diff>({ url, fields: ["patch", "files"], version });
  const parsed = useMemo(() => parsePatch(answer?.patch ?? ""), [answer?.patch]);
  if (answer === undefined) {
    return problem === undefined ? (
      <Loading what="the diff" />
    ) : (
      <ProblemNote problem={problem} onRetry={reload} />
    );
  }
  if (answer.files.length === 0)
    return (
      <Empty title="No changes">
        It has not changed any file{node.endedAtMs === null ? " that was kept yet" : ""}.
      </Empty>
    );
  const isAtWork = can.includes("message");
  return (
    <div className="stack">
      <p className="numbers">
        {plural(answer.files.length, "file")} <Changes added={answer.added} removed={answer.removed} />{" "}
        <span className="quiet">
          {isAtWork
            ? "Enter or click on a line writes to the worker about it."
            : "Comments can be sent while the worker is at work."}
        </span>
      </p>
      {answer.isCut ? (
        <p className="note tone-attention">The diff is long and was cut. ambit diff shows all of it.</p>
      ) : null}
      {answer.files.map((file) => (
        <FileDiff
          key={file.path}
          file={file}
          patch={parsed.find(({ path }) => path === file.path)}
          worker={isAtWork ? node.id : null}
        />
      ))}
    </div>
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
