import { memo, type ReactNode } from "react";
import type { TreeNode } from "../../../app/view-types.ts";
import { Outside } from "../parts/outside.tsx";
import type { TreeRow } from "./tree-rows.ts";

interface TreeRowProps {
  readonly row: TreeRow;
  readonly rowClass: string;
  readonly Cells: (props: { readonly node: TreeNode }) => ReactNode;
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
  const names = ["index", "top", "isActive", "isChosen", "Cells"] as const;
  const facts = ["node", "level", "position", "siblings", "hasWorkers", "isOpen"] as const;
  return (
    names.every((name) => before[name] === after[name]) &&
    facts.every((name) => before.row[name] === after.row[name])
  );
});

function TreeRowBare(props: TreeRowProps) {
  const { row, rowClass, Cells, index, top, isActive, isChosen, onFocus, onChoose, onToggle } = props;
  const { node, level, isOpen, hasWorkers } = row;
  return (
    <div
      role="row"
      className={rowClass}
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
