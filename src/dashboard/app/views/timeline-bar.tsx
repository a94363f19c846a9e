import type { TimelineRow, TimelineSegment } from "../../../app/view-types.ts";
import { formatDuration } from "../text/format.ts";
import { segmentWords } from "../text/state-look.ts";

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Keeps every segment wide enough to be seen. */
export function Bar({ row, span }: { readonly row: TimelineRow; readonly span: Span }) {
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

export function describeRow({ segments, state }: TimelineRow, nowMs: number): string {
  const told = segments.slice(-MAX_DESCRIBED).map((segment) => describeSegment(segment, nowMs));
  return `${told.join(", ")}; ${state.replace("_", " ")}`;
}
