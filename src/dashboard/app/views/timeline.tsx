import { createContext, useContext, useMemo, useState } from "react";
import type {
  Timeline as TimelineAnswer,
  TimelineRow,
  TimelineSegment,
  TreeNode,
} from "../../../app/view-types.ts";
import { useNow } from "../live/clock.ts";
import { useSlowVersion } from "../live/slow-version.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { NodeMark } from "../parts/state-mark.tsx";
import { formatClock, formatDuration } from "../text/format.ts";
import { segmentWords } from "../text/state-look.ts";
import type { StoryFormProps } from "./story-form-props.ts";
import { Bar, describeRow, type Span } from "./timeline-bar.tsx";
import { TreeGrid } from "./tree-grid.tsx";

const kinds = [
  "queued",
  "running",
  "workers",
  "person",
  "retry",
  "checking",
] as const satisfies readonly TimelineSegment["kind"][];
const zooms = [1, 2, 4, 8] as const;

interface Trace {
  readonly rows: ReadonlyMap<string, TimelineRow>;
  readonly span: Span;
}

const TraceContext = createContext<Trace>({ rows: new Map(), span: { fromMs: 0, toMs: 1 } });

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Distances between ticks that people count in. */
const tickSteps: readonly number[] = [
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
const MAX_TICKS = 6;

/** The tree and the waterfall side by side: one bar per delegation, each part of it is a kind of time. */
export function Timeline(props: StoryFormProps) {
  const url = `/api/runs/${encodeURIComponent(props.story)}/timeline`;
  const version = useSlowVersion(props.live.version);
  const { answer, problem, reload } = useAnswer<TimelineAnswer>({ url, fields: ["rows", "fromMs"], version });
  if (answer !== undefined) return <Waterfall {...props} answer={answer} />;
  return problem === undefined ? (
    <Loading what="the timeline" />
  ) : (
    <ProblemNote problem={problem} onRetry={reload} />
  );
}

function Waterfall({ answer, ...props }: StoryFormProps & { readonly answer: TimelineAnswer }) {
  const [zoom, setZoom] = useState<number>(1);
  const rows = useMemo(() => new Map(answer.rows.map((row) => [row.id, row])), [answer.rows]);
  const isOpen = useMemo(() => answer.rows.some(hasOpenSegment), [answer.rows]);
  const now = useNow(isOpen);
  const { fromMs } = answer;
  const toMs = Math.max(isOpen ? now : answer.toMs, fromMs + 1000);
  const trace = useMemo(() => ({ rows, span: { fromMs, toMs } }), [rows, fromMs, toMs]);
  const columns = [
    { name: "Delegation", sort: "number" },
    { name: "State", sort: "state" },
    { name: "Over time", content: <Axis span={trace.span} zoom={zoom} /> },
  ];
  return (
    <TraceContext value={trace}>
      <Legend />
      <TreeGrid
        {...props}
        columns={columns}
        rowClass="trace-row"
        Cells={TraceCells}
        zoom={zoom}
        tools={<ZoomChoice zoom={zoom} onZoom={setZoom} />}
      />
    </TraceContext>
  );
}

function hasOpenSegment({ segments }: TimelineRow): boolean {
  return segments.at(-1)?.toMs === null;
}

function TraceCells({ node }: { readonly node: TreeNode }) {
  const { rows, span } = useContext(TraceContext);
  const row = rows.get(node.id);
  return (
    <>
      <span role="gridcell" className="c-state">
        <NodeMark node={node} />
      </span>
      <span role="gridcell" className="c-track">
        {row === undefined ? null : (
          <>
            <Bar row={row} span={span} />
            <span className="unseen">{describeRow(row, span.toMs)}</span>
          </>
        )}
      </span>
    </>
  );
}

interface ZoomChoiceProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
}

function ZoomChoice({ zoom, onZoom }: ZoomChoiceProps) {
  return (
    <div className="choice" role="group" aria-label="Zoom">
      {zooms.map((factor) => (
        <button
          key={factor}
          type="button"
          className="button"
          aria-pressed={factor === zoom}
          onClick={() => onZoom(factor)}
        >
          {factor === 1 ? "Fit" : `${factor}×`}
        </button>
      ))}
    </div>
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

/** Round times since the start; the title tells the time of day. */
function Axis({ span: { fromMs, toMs }, zoom }: { readonly span: Span; readonly zoom: number }) {
  const length = toMs - fromMs;
  return (
    <span className="axis-track numbers quiet">
      <span className="unseen">Over time</span>
      {chooseTicks(length, zoom).map((ms) => (
        <span
          key={ms}
          aria-hidden="true"
          className="tick"
          title={formatClock(fromMs + ms)}
          style={{ insetInlineStart: `${(ms / length) * 100}%` }}
        >
          {ms === 0 ? formatClock(fromMs) : `+${formatDuration(ms)}`}
        </span>
      ))}
    </span>
  );
}

/** Round moments since the start, few enough to be read. */
function chooseTicks(lengthMs: number, zoom = 1): readonly number[] {
  const step = tickSteps.find((one) => lengthMs / one <= MAX_TICKS * zoom) ?? lengthMs / (MAX_TICKS * zoom);
  const count = Math.floor(lengthMs / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step).filter(
    // The last one would be beyond the end of the axis.
    (ms) => ms === 0 || ms < lengthMs * 0.96,
  );
}
