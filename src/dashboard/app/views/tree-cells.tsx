import type { TreeNode } from "../../../app/view-types.ts";
import { useNow } from "../live/clock.ts";
import { useOutput } from "../live/outputs.ts";
import { CostText } from "../parts/cost-text.tsx";
import { Meter } from "../parts/meter.tsx";
import { Outside } from "../parts/outside.tsx";
import { NodeMark } from "../parts/state-mark.tsx";
import { formatDuration, formatSpent, formatUsd } from "../text/format.ts";

/** The columns of the tree after the name. */
export function TreeCells({ node }: { readonly node: TreeNode }) {
  const hasCriteria = node.criteriaTotal > 0;
  return (
    <>
      <span role="gridcell" className="c-state">
        <NodeMark node={node} />
      </span>
      <span role="gridcell" className="c-agent cut quiet">
        <Outside text={node.model === "" ? node.agent : `${node.agent} · ${node.model}`} />
      </span>
      <TimeCell node={node} />
      <CostCell node={node} />
      <span role="gridcell" className="c-criteria numbers">
        {hasCriteria ? (
          <span className={node.criteriaFailed > 0 ? "tone-text bad" : ""}>
            {node.criteriaFailed > 0 ? <span aria-label="failed">✖ </span> : null}
            {node.criteriaPassed}/{node.criteriaTotal}
          </span>
        ) : null}
      </span>
      <span role="gridcell" className="c-files numbers quiet">
        {node.filesChanged === 0 ? "" : node.filesChanged}
      </span>
      <span role="gridcell" className="c-latest cut quiet">
        <LatestLine node={node} />
      </span>
    </>
  );
}

function LatestLine({ node }: { readonly node: TreeNode }) {
  const output = useOutput(node.id);
  return <Outside text={chooseLine(node, output?.line ?? "")} />;
}

/** The most useful line: why it ended, what it asks, why it waits, or what it wrote last. */
function chooseLine(node: TreeNode, output: string): string {
  if (node.code !== null) return `${node.code} ${node.summary}`.trim();
  if (node.endedAtMs !== null && node.summary !== "") return node.summary;
  if (node.question !== "") return node.question;
  if (node.waitReason !== "") return node.waitReason;
  return node.state === "running" && output !== "" ? output : node.activity;
}

function TimeCell({ node }: { readonly node: TreeNode }) {
  const isCounting = node.startedAtMs !== null && node.endedAtMs === null;
  const now = useNow(isCounting);
  return (
    <span role="gridcell" className="c-time numbers">
      {node.startedAtMs === null ? "" : formatDuration((node.endedAtMs ?? now) - node.startedAtMs)}
      {isCounting && node.percent !== null && node.percent > 0 ? (
        <span className="quiet">
          {" "}
          {Math.round(node.percent)}%<span className="unseen"> done so far</span>
        </span>
      ) : null}
    </span>
  );
}

function CostCell({ node }: { readonly node: TreeNode }) {
  const { totalMicroUsd, limitMicroUsd } = node;
  return (
    <span role="gridcell" className="c-cost numbers">
      <CostText microUsd={totalMicroUsd} source={node.costSource} />
      {limitMicroUsd === null ? null : (
        <Meter
          label="Cost limit"
          used={totalMicroUsd}
          of={limitMicroUsd}
          text={`${formatSpent(totalMicroUsd)} of ${formatUsd(limitMicroUsd)}`}
        />
      )}
    </span>
  );
}
