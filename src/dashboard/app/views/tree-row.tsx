import { memo } from "react";
import type { TreeNode } from "../../../app/view-types.ts";
import { useNow } from "../live/clock.ts";
import { useOutput } from "../live/outputs.ts";
import { CostText } from "../parts/cost-text.tsx";
import { Meter } from "../parts/meter.tsx";
import { Outside } from "../parts/outside.tsx";
import { NodeMark } from "../parts/state-mark.tsx";
import { formatDuration, formatSpent, formatUsd } from "../text/format.ts";
import type { TreeRow } from "./tree-rows.ts";

interface TreeRowProps {
  readonly row: TreeRow;
  readonly index: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onFocus: (id: string) => void;
  readonly onChoose: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

/** Drawn again only if its data changed: handlers are new functions at each render and are not compared. */
export const TreeRowView = memo(TreeRowBare, (before, after) => {
  const names = ["index", "top", "isActive", "isChosen"] as const;
  const facts = ["node", "level", "position", "siblings", "hasWorkers", "isOpen"] as const;
  return (
    names.every((name) => before[name] === after[name]) &&
    facts.every((name) => before.row[name] === after.row[name])
  );
});

function TreeRowBare({ row, index, top, isActive, isChosen, onFocus, onChoose, onToggle }: TreeRowProps) {
  const { node, level, isOpen, hasWorkers } = row;
  return (
    <div
      role="row"
      className="tree-row"
      data-index={index}
      data-id={node.id}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={hasWorkers ? isOpen : undefined}
      aria-selected={isChosen}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => onFocus(node.id)}
      onClick={() => onChoose(node.id)}
    >
      <span role="rowheader" className="c-delegation" style={{ paddingInlineStart: `${(level - 1) * 18}px` }}>
        <span
          className={`chevron${isOpen ? " open" : ""}`}
          aria-hidden="true"
          onClick={(event) => {
            if (!hasWorkers) return;
            event.stopPropagation();
            onToggle(node.id);
          }}
        >
          {hasWorkers ? "▸" : ""}
        </span>
        {node.label === "" ? null : <span className="place numbers">{node.label}</span>}
        <Outside text={node.title} className="cut" />
      </span>
      <Cells node={node} />
    </div>
  );
}

function Cells({ node }: { readonly node: TreeNode }) {
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
      {isCounting && node.percent !== null ? (
        <span className="quiet" title="Done so far">
          {" "}
          {Math.round(node.percent)}%
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
