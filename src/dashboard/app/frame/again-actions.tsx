import type { InboxEntry } from "../../../app/view-types.ts";
import { type Named, resume, retry } from "./person-actions.ts";

interface AgainActionsProps {
  readonly can: InboxEntry["can"];
  readonly node: Named;
}

/** The two ways to go on with a delegation that has ended. */
export function AgainActions({ can, node }: AgainActionsProps) {
  return (
    <>
      {can.includes("resume") ? (
        <button type="button" className="button" onClick={() => void resume(node)}>
          Resume
        </button>
      ) : null}
      {can.includes("retry") ? (
        <button type="button" className="button" onClick={() => void retry(node)}>
          Retry
        </button>
      ) : null}
    </>
  );
}
