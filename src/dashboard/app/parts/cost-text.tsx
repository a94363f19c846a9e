import type { CostSource } from "../../../app/view-types.ts";
import { formatSpent } from "../text/format.ts";
import { sourceMarks, sourceWords } from "../text/state-look.ts";

/** An amount, marked with its source unless the agent reported it. */
export function CostText({ microUsd, source }: { readonly microUsd: number; readonly source: CostSource }) {
  const mark = sourceMarks[source];
  return (
    <span className="numbers" title={sourceWords[source]}>
      {formatSpent(microUsd)}
      {mark === "" || (microUsd === 0 && source !== "unpriced") ? null : (
        <small className="source">
          <span aria-hidden="true">{mark}</span>
          <span className="unseen">, {sourceWords[source]}</span>
        </small>
      )}
    </span>
  );
}
