import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { AuditRow } from "../../../app/view-types.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { Empty, Loading, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";
import { GridHead } from "../parts/grid-head.tsx";
import { listTarget } from "../parts/list-target.ts";
import { useRowWindow } from "../parts/row-window.ts";
import { formatCount, formatMoment, formatStamp } from "../text/format.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { useAuditPages, type AuditPages } from "./use-audit-pages.ts";

interface AuditListProps {
  readonly filter: AuditFilter;
  readonly open: number | null;
  readonly onOpen: (seq: number) => void;
}

const ROW_HEIGHT = 28;
const columns = ["Number", "Time", "Event", "About", "What"].map((name) => ({ name }));
/** Closer to the end of the loaded rows than this, the next page is requested. */
const AHEAD = 60;

export function AuditList({ filter, open, onOpen }: AuditListProps) {
  const pages = useAuditPages(filter);
  const { rows, problem, isLoading, hasMore } = pages;
  if (problem !== undefined) return <ProblemNote problem={problem} onRetry={pages.reload} />;
  if (rows.length === 0) {
    return isLoading || hasMore ? <Loading what="the events" /> : <Empty title="No such events" />;
  }
  return (
    <div className="audit-list">
      <NewerEvents filter={filter} seq={pages.seq} onShow={pages.reload} />
      <EventGrid pages={pages} open={open} onOpen={onOpen} />
      <p className="quiet numbers" role="status">
        {formatCount(rows.length)} events {hasMore ? "loaded, more as you scroll" : "in all"}
      </p>
    </div>
  );
}

interface EventGridProps extends Pick<AuditListProps, "open" | "onOpen"> {
  readonly pages: AuditPages;
}

function EventGrid({ pages, open, onOpen }: EventGridProps) {
  const { rows, isLoading, hasMore, loadMore } = pages;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const size = { count: rows.length, rowHeight: ROW_HEIGHT };
  const { window, focusRow } = useRowWindow({ scroller, ...size, activeIndex: active });
  const lastShown = window.items.findLast(({ index }) => index !== active)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoading && lastShown + AHEAD >= rows.length) loadMore();
  }, [hasMore, isLoading, lastShown, rows.length, loadMore]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = listTarget(event.key, active, rows.length);
    if (index === undefined) return;
    event.preventDefault();
    setActive(index);
    focusRow(index);
  };
  return (
    <div
      ref={scroller}
      className="sheet scroll grow"
      role="grid"
      aria-label="Events"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      onKeyDown={onKeyDown}
    >
      <GridHead columns={columns} rowClass="audit-row" />
      <div role="rowgroup" className="tree-body" style={{ height: window.height }}>
        {window.items.map(({ index, top }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <Row
              key={row.seq}
              row={row}
              index={index}
              top={top}
              isActive={index === active}
              isOpen={row.seq === open}
              onOpen={() => {
                setActive(index);
                onOpen(row.seq);
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

interface NewerEventsProps {
  readonly filter: AuditFilter;
  readonly seq: number;
  readonly onShow: () => void;
}

/** New events do not move the list under the reader; a button loads them. */
function NewerEvents({ filter, seq, onShow }: NewerEventsProps) {
  const { seq: newest } = useStore(liveProject);
  if (filter.order !== "newest" || newest <= seq) return null;
  return (
    <p>
      <button type="button" className="button" onClick={onShow}>
        Show {formatCount(newest - seq)} newer{" "}
        {filter.run === "" && filter.type === "" ? "events" : "events, if they match"}
      </button>
    </p>
  );
}

interface RowProps {
  readonly row: AuditRow;
  readonly index: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Row({ row, index, top, isActive, isOpen, onOpen }: RowProps) {
  return (
    <div
      role="row"
      className="audit-row"
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onOpen}
      onKeyDown={(event) => {
        if (event.key === "Enter") onOpen();
      }}
    >
      <span role="rowheader" className="numbers quiet">
        {row.seq}
      </span>
      <span role="gridcell" className="numbers quiet cut" title={formatMoment(Date.parse(row.at))}>
        {formatStamp(Date.parse(row.at))}
      </span>
      <span role="gridcell" className="cut">
        {row.type}
      </span>
      <span role="gridcell" className="cut mono quiet" title={row.about}>
        <Outside text={row.about === row.run ? row.run : `…${row.about.slice(row.run.length)}`} />
      </span>
      <span role="gridcell" className="cut">
        <Outside text={row.detail} />
      </span>
    </div>
  );
}
