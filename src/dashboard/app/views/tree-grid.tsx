import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from "react";
import type { TreeNode } from "../../../app/view-types.ts";
import { useQueryValue } from "../frame/route.ts";
import { GridHead, type GridColumn } from "../parts/grid-head.tsx";
import { Empty } from "../parts/notices.tsx";
import { useRowWindow } from "../parts/row-window.ts";
import { plural } from "../text/format.ts";
import type { StoryFormProps } from "./story-form-props.ts";
import { useTreeKeys } from "./tree-keys.ts";
import { TreeRowView } from "./tree-row.tsx";
import { treeRows, treeSorts, type TreeRow } from "./tree-rows.ts";

interface TreeGridProps extends StoryFormProps {
  readonly columns: readonly GridColumn[];
  /** The class of every row, which says how wide its columns are. */
  readonly rowClass: string;
  /** The columns after the name. */
  readonly Cells: (props: { readonly node: TreeNode }) => ReactNode;
  /** Beside the filter. */
  readonly tools?: ReactNode;
  readonly zoom?: number;
}

/**
 * The delegations of a story as an accessible treegrid that draws only the visible rows. Filter and order are in the
 * address.
 */
export function TreeGrid({ tools, ...props }: TreeGridProps) {
  const { live } = props;
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [text, setText] = useQueryValue("q");
  const [open, setOpen] = useQueryValue("open");
  const [sorted, setSorted] = useQueryValue("sort");
  const sort = treeSorts.find((name) => name === sorted) ?? "number";
  const isOpenOnly = open === "only";
  const words = useDeferredValue(text);
  const rows = useMemo(
    () => treeRows(live.nodes, { toggled, text: words, isOpenOnly, sort }),
    [live.nodes, toggled, words, isOpenOnly, sort],
  );
  const toggleAll = (isOpen: boolean): void =>
    setToggled(new Map([...live.nodes.keys()].map((id) => [id, isOpen])));
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
        <FoldButtons
          isOpenOnly={isOpenOnly}
          onOpenOnly={() => setOpen(isOpenOnly ? "" : "only")}
          onToggleAll={toggleAll}
        />
        {tools}
      </div>
      <p className="unseen" role="status">
        {words === "" ? "" : `${plural(rows.length, "delegation")} shown.`}
      </p>
      {rows.length === 0 ? (
        <Empty title="No delegation matches" />
      ) : (
        <Grid
          {...props}
          rows={rows}
          sorted={sort}
          onSort={(next) => setSorted(next === sort || next === "number" ? "" : next)}
          onToggle={(id, isOpen) => setToggled((before) => new Map(before).set(id, !isOpen))}
        />
      )}
    </>
  );
}

interface FoldButtonsProps {
  readonly isOpenOnly: boolean;
  readonly onOpenOnly: () => void;
  readonly onToggleAll: (isOpen: boolean) => void;
}

function FoldButtons({ isOpenOnly, onOpenOnly, onToggleAll }: FoldButtonsProps) {
  return (
    <>
      <button type="button" className="button" aria-pressed={isOpenOnly} onClick={onOpenOnly}>
        Only open
      </button>
      <button type="button" className="button" onClick={() => onToggleAll(true)}>
        Expand all
      </button>
      <button type="button" className="button" onClick={() => onToggleAll(false)}>
        Collapse all
      </button>
    </>
  );
}

interface GridProps extends Omit<TreeGridProps, "tools"> {
  readonly rows: readonly TreeRow[];
  readonly sorted: string;
  readonly onSort: (sort: string) => void;
  readonly onToggle: (id: string, isOpen: boolean) => void;
}

const ROW_HEIGHT = 34;

function Grid({ rows, chosen, onChoose, onToggle, Cells, rowClass, zoom = 1, ...head }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | null>(chosen);
  const found = rows.findIndex(({ node }) => node.id === active);
  const activeIndex = Math.max(0, found);
  const size = { count: rows.length, rowHeight: ROW_HEIGHT, activeIndex };
  const { window, focusRow } = useRowWindow({ scroller, ...size });
  const toggle = (id: string): void => onToggle(id, rows.find(({ node }) => node.id === id)?.isOpen === true);
  const onMove = (index: number): void => {
    setActive(rows[index]?.node.id ?? null);
    focusRow(index);
  };
  const onKeyDown = useTreeKeys({ rows, activeIndex, onMove, onToggle: toggle, onChoose });
  return (
    <div
      ref={scroller}
      className="sheet scroll tree"
      role="treegrid"
      aria-label="Delegations"
      aria-rowcount={rows.length + 1}
      data-zoom={zoom}
      onKeyDown={onKeyDown}
    >
      <GridHead columns={head.columns} rowClass={rowClass} sorted={head.sorted} onSort={head.onSort} />
      <div role="rowgroup" className="tree-body" style={{ height: window.height }}>
        {window.items.map(({ index, top }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TreeRowView
              key={row.node.id}
              row={row}
              rowClass={rowClass}
              Cells={Cells}
              index={index}
              top={top}
              isActive={index === activeIndex}
              isChosen={row.node.id === chosen}
              onFocus={setActive}
              onChoose={onChoose}
              onToggle={toggle}
            />
          );
        })}
      </div>
    </div>
  );
}
