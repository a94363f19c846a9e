import { memo } from "react";
import type { TimelineRow, TimelineSegment } from "../../../app/view-types.ts";
import { standstill } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { Outside } from "../parts/outside.tsx";
import { formatDuration } from "../text/format.ts";
import { drivenStates, interrupted, looks, segmentWords } from "../text/state-look.ts";

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface TimelineRowProps {
  readonly row: TimelineRow;
  readonly index: number;
  readonly top: number;
  readonly span: Span;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

export const TimelineRowView = memo(function TimelineRowView(props: TimelineRowProps) {
  const { row, index, top, span, isActive, isChosen, onChoose } = props;
  const isInterrupted = useStore(standstill) && drivenStates.has(row.state);
  const { glyph, tone } = isInterrupted ? interrupted : looks[row.state];
  return (
    <li className="timeline-row" style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className="timeline-button"
        data-index={index}
        tabIndex={isActive ? 0 : -1}
        aria-pressed={isChosen}
        onClick={() => onChoose(row.id)}
      >
        <span className="timeline-name" style={{ paddingInlineStart: `${row.depth * 14}px` }}>
          <span className={`state tone-${tone}`}>
            <span className="glyph" aria-hidden="true">
              {glyph}
            </span>
          </span>
          {row.label === "" ? null : <span className="place numbers">{row.label}</span>}
          <Outside text={row.title} className="cut" />
        </span>
        <Bar row={row} span={span} />
        <span className="unseen">
          {describe(row, span.toMs)}
          {isInterrupted ? ", interrupted" : ""}
        </span>
      </button>
    </li>
  );
});

/** Keeps every segment wide enough to be seen. */
function Bar({ row, span }: { readonly row: TimelineRow; readonly span: Span }) {
  const length = span.toMs - span.fromMs;
  const share = (ms: number): number => (ms / length) * 100;
  return (
    <span className="track">
      <svg width="100%" height="18" aria-hidden="true">
        {row.segments.map((segment) => (
          <rect
            key={`${segment.kind}-${segment.fromMs}-${segment.attempt}`}
            className={`segment ${segment.kind}`}
            y="3"
            height="12"
            rx="2"
            x={`${share(segment.fromMs - span.fromMs)}%`}
            style={{ width: `max(3px, ${share(measureSegment(segment, span.toMs))}%)` }}
          >
            <title>{describeSegment(segment, span.toMs)}</title>
          </rect>
        ))}
      </svg>
    </span>
  );
}

function measureSegment({ fromMs, toMs }: TimelineSegment, nowMs: number): number {
  return Math.max(0, (toMs ?? nowMs) - fromMs);
}

function describeSegment(segment: TimelineSegment, nowMs: number): string {
  const attempt = segment.attempt > 1 ? `, attempt ${segment.attempt}` : "";
  return `${segmentWords[segment.kind]} ${formatDuration(measureSegment(segment, nowMs))}${attempt}`;
}

const MAX_DESCRIBED = 6;

function describe({ segments, state }: TimelineRow, nowMs: number): string {
  const told = segments.slice(-MAX_DESCRIBED).map((segment) => describeSegment(segment, nowMs));
  return `: ${told.join(", ")}; ${state.replace("_", " ")}`;
}
