import { useDeferredValue, useMemo, useRef, useState } from "react";
import { Empty } from "../parts/notices.tsx";
import { GridHead } from "../parts/grid-head.tsx";
import type { StoryFormProps } from "./story-form-props.ts";
import { TreeRowView } from "./tree-row.tsx";
import { treeRows, type TreeRow } from "./tree-rows.ts";
import { useTreeKeys } from "./tree-keys.ts";
import { useRowWindow } from "../parts/row-window.ts";

const columns = ["Delegation", "State", "Agent", "Time", "Cost", "Criteria", "Files", "Latest"] as const;

/** The story as an accessible treegrid that draws only the visible rows. */
export function TreeTable({ live, chosen, onChoose }: StoryFormProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState("");
  const [isOpenOnly, setOpenOnly] = useState(false);
  const words = useDeferredValue(text);
  const rows = useMemo(
    () => treeRows(live.nodes, { closed, text: words, isOpenOnly }),
    [live.nodes, closed, words, isOpenOnly],
  );
  const toggle = (id: string): void => setClosed((before) => toggled(before, id));
  return (
    <>
      <div className="toolbar">
        <input
          type="search"
          className="field"
          aria-label="Filter delegations"
          placeholder="Filter…  /"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button
          type="button"
          className="button"
          aria-pressed={isOpenOnly}
          onClick={() => setOpenOnly(!isOpenOnly)}
        >
          Only open
        </button>
        <button type="button" className="button" onClick={() => setClosed(new Set())}>
          Expand all
        </button>
        <button type="button" className="button" onClick={() => setClosed(new Set(live.nodes.keys()))}>
          Collapse all
        </button>
      </div>
      {rows.length === 0 ? (
        <Empty title="No delegation matches" />
      ) : (
        <TreeGrid rows={rows} chosen={chosen} onChoose={onChoose} onToggle={toggle} />
      )}
    </>
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

interface TreeGridProps {
  readonly rows: readonly TreeRow[];
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

const ROW_HEIGHT = 34;

function TreeGrid({ rows, chosen, onChoose, onToggle }: TreeGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | null>(chosen);
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === active),
  );
  const size = { count: rows.length, rowHeight: ROW_HEIGHT };
  const { window, focusRow } = useRowWindow({ scroller, ...size, activeIndex });
  const onKeyDown = useTreeKeys({
    rows,
    activeIndex,
    onMove: (index) => {
      setActive(rows[index]?.node.id ?? null);
      focusRow(index);
    },
    onToggle,
    onChoose,
  });
  return (
    <div
      ref={scroller}
      className="sheet scroll tree"
      role="treegrid"
      aria-label="Delegations"
      aria-rowcount={rows.length + 1}
      onKeyDown={onKeyDown}
    >
      <GridHead columns={columns} rowClass="tree-row" />
      <div role="rowgroup" className="tree-body" style={{ height: window.height }}>
        {window.items.map(({ index, top }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TreeRowView
              key={row.node.id}
              row={row}
              index={index}
              top={top}
              isActive={index === activeIndex}
              isChosen={row.node.id === chosen}
              onFocus={setActive}
              onChoose={onChoose}
              onToggle={onToggle}
            />
          );
        })}
      </div>
    </div>
  );
}
