import type { CriterionRow } from "../../../app/view-types.ts";
import { Empty } from "../parts/notices.tsx";
import { LongText, Outside } from "../parts/outside.tsx";
import { Tag } from "../parts/state-mark.tsx";
import { formatMoment } from "../text/format.ts";
import type { Tone } from "../text/state-look.ts";
import type { TabProps } from "./tab-props.ts";

const verdicts: Readonly<Record<CriterionRow["verdict"], { readonly glyph: string; readonly tone: Tone }>> = {
  unverified: { glyph: "◌", tone: "quiet" },
  passed: { glyph: "✔", tone: "good" },
  failed: { glyph: "✖", tone: "bad" },
  waived: { glyph: "⊘", tone: "attention" },
};

export function CriteriaTab({ detail: { criteria, node } }: TabProps) {
  if (criteria.length === 0) {
    return (
      <Empty title="No criteria">
        This delegation has no acceptance criteria. Add some with <code>--accept</code>.
      </Empty>
    );
  }
  return (
    <>
      <p className="quiet">
        {node.criteriaTotal === 0
          ? "None of them is required."
          : `${node.criteriaPassed} of ${node.criteriaTotal} required ones hold.`}{" "}
        Ambit runs the checks itself, on the merged tree.
      </p>
      <ul className="cards">
        {criteria.map((criterion) => (
          <Criterion key={criterion.id} criterion={criterion} />
        ))}
      </ul>
    </>
  );
}

function Criterion({ criterion }: { readonly criterion: CriterionRow }) {
  const { glyph, tone } = verdicts[criterion.verdict];
  const { check, evidence, by, atMs } = criterion;
  return (
    <li className="card">
      <p className="card-head">
        <Tag tone={tone}>
          <span aria-hidden="true">{glyph}</span> {criterion.verdict}
        </Tag>
        <Outside text={criterion.text} className="criterion-text" />
        {criterion.required ? null : <span className="quiet">advisory</span>}
        {criterion.notes.map((note) => (
          <span key={note} className="quiet">
            {note}
          </span>
        ))}
      </p>
      <p className="quiet">
        {check === "" ? (
          "decided by a person or the manager"
        ) : (
          <>
            check <code>{check}</code>
          </>
        )}
        {by === "" ? "" : ` · by ${by}`}
        {atMs === null ? "" : ` · ${formatMoment(atMs)}`}
      </p>
      {evidence === "" ? null : (
        <details open={criterion.verdict === "failed"}>
          <summary>Evidence</summary>
          <pre>
            <LongText text={evidence} />
          </pre>
        </details>
      )}
    </li>
  );
}
