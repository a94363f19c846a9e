import { useMemo, useRef, useState } from "react";
import type { Timeline as TimelineAnswer, TimelineRow, TimelineSegment } from "../../../app/view-types.ts";
import { useNow } from "../live/clock.ts";
import { useAnswer } from "../live/use-answer.ts";
import { listTarget } from "../parts/list-target.ts";
import { useRowWindow } from "../parts/row-window.ts";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { formatDuration } from "../text/format.ts";
import { segmentWords } from "../text/state-look.ts";
import type { StoryFormProps } from "./story-form-props.ts";
import { TimelineRowView } from "./timeline-row.tsx";
import { useSlowVersion } from "../live/slow-version.ts";

const kinds = [
  "queued",
  "running",
  "workers",
  "person",
  "retry",
  "checking",
] as const satisfies readonly TimelineSegment["kind"][];
const zooms = [1, 2, 4, 8] as const;
const TICKS = 5;
const ROW_HEIGHT = 30;

/** One bar per delegation; each part of it is a kind of time. */
export function Timeline({ live, story, chosen, onChoose }: StoryFormProps) {
  const [zoom, setZoom] = useState<number>(1);
  const url = `/api/runs/${encodeURIComponent(story)}/timeline`;
  const version = useSlowVersion(live.version);
  const { answer, problem, reload } = useAnswer<TimelineAnswer>({ url, fields: ["rows", "fromMs"], version });
  if (answer === undefined) {
    return problem === undefined ? (
      <Loading what="the timeline" />
    ) : (
      <ProblemNote problem={problem} onRetry={reload} />
    );
  }
  return (
    <>
      <div className="toolbar">
        <Legend />
        <span className="spring" />
        <div className="choice" role="group" aria-label="Zoom">
          {zooms.map((factor) => (
            <button
              key={factor}
              type="button"
              className="button"
              aria-pressed={factor === zoom}
              onClick={() => setZoom(factor)}
            >
              {factor === 1 ? "Fit" : `${factor}×`}
            </button>
          ))}
        </div>
      </div>
      <Chart answer={answer} zoom={zoom} chosen={chosen} onChoose={onChoose} />
    </>
  );
}

function Legend() {
  return (
    <ul className="legend" aria-label="Kinds of time">
      {kinds.map((kind) => (
        <li key={kind}>
          <svg width="18" height="10" aria-hidden="true">
            <rect className={`segment ${kind}`} x="0.5" y="0.5" width="17" height="9" rx="2" />
          </svg>
          {segmentWords[kind]}
        </li>
      ))}
    </ul>
  );
}

interface ChartProps {
  readonly answer: TimelineAnswer;
  readonly zoom: number;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

function Chart({ answer, zoom, chosen, onChoose }: ChartProps) {
  const { rows, fromMs } = answer;
  const scroller = useRef<HTMLDivElement>(null);
  const isOpen = useMemo(() => rows.some(hasOpenSegment), [rows]);
  const now = useNow(isOpen);
  const toMs = Math.max(isOpen ? now : answer.toMs, fromMs + 1000);
  const [active, setActive] = useState(0);
  const activeIndex = Math.min(active, rows.length - 1);
  const { window, focusRow } = useRowWindow({
    scroller,
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    activeIndex,
  });
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const target = listTarget(event.key, activeIndex, rows.length);
    if (target === undefined) return;
    event.preventDefault();
    setActive(target);
    focusRow(target);
  };
  return (
    <div ref={scroller} className="sheet scroll timeline" data-zoom={zoom} onKeyDown={onKeyDown}>
      <Axis span={toMs - fromMs} />
      <ul className="timeline-body" aria-label="Delegations over time" style={{ height: window.height }}>
        {window.items.map(({ index, top }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <TimelineRowView
              key={row.id}
              row={row}
              index={index}
              top={top}
              span={{ fromMs, toMs }}
              isActive={index === activeIndex}
              isChosen={row.id === chosen}
              onChoose={onChoose}
            />
          );
        })}
      </ul>
    </div>
  );
}

function hasOpenSegment({ segments }: TimelineRow): boolean {
  return segments.at(-1)?.toMs === null;
}

function Axis({ span }: { readonly span: number }) {
  return (
    <div className="axis numbers quiet" aria-hidden="true">
      <span className="axis-name">since the start</span>
      <span className="axis-track">
        {Array.from({ length: TICKS }, (_, index) => (
          <span key={index} style={{ insetInlineStart: `${(index / TICKS) * 100}%` }}>
            {index === 0 ? "0" : formatDuration((span * index) / TICKS)}
          </span>
        ))}
        <span className="axis-end">{formatDuration(span)}</span>
      </span>
    </div>
  );
}
