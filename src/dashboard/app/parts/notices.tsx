import type { ReactNode } from "react";
import type { Problem } from "../../../app/view-types.ts";
import { Outside } from "./outside.tsx";

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading" role="status">
      Loading {what}…
    </p>
  );
}

interface ProblemNoteProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
}

export function ProblemNote({ problem, onRetry }: ProblemNoteProps) {
  return (
    <div className="problem" role="alert">
      <strong>
        <span aria-hidden="true">✖ </span>
        <Outside text={problem.message} />
      </strong>
      <p>
        <Outside text={problem.recommendation} /> <code>{problem.code}</code>
      </p>
      {onRetry === undefined ? null : (
        <p>
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
