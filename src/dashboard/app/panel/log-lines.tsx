import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { LogPiece } from "../../../app/view-types.ts";
import { useKeys } from "../frame/keys.ts";
import { Outside } from "../parts/outside.tsx";
import { formatClock, formatCount, formatMoment, plural } from "../text/format.ts";
import type { Log, LogLine } from "./use-log.ts";

interface LogLinesProps {
  readonly log: Log;
  /** Only lines that contain it are shown. */
  readonly text: string;
  /** The line that the address names. */
  readonly chosen: number | null;
  readonly onChoose: (line: number) => void;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

/** A line with its number in the whole log. */
interface NumberedLine extends LogLine {
  readonly number: number;
}

const LINE_HEIGHT = 19;
const CUT = 600;
/** Closer to the end than this counts as being there. */
const NEAR = 24;

export function LogLines({ log, text, chosen, onChoose, isFollowing, onFollow }: LogLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => findLines(log, text), [log.lines, log.firstLine, text]);
  useKeys({ f: () => onFollow(!isFollowing) });
  // Scrolling up stops following; scrolling to the end starts it again.
  const onScroll = (event: React.UIEvent<HTMLDivElement>): void => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    if (isAtEnd && !isFollowing) onFollow(true);
  };
  const onKeyDown = ({ key }: React.KeyboardEvent): void => {
    if (["ArrowUp", "PageUp", "Home"].includes(key)) onFollow(false);
  };
  return (
    <div
      ref={scroller}
      className="log-lines scroll"
      role="log"
      aria-live="off"
      aria-label="Log"
      tabIndex={0}
      onScroll={onScroll}
      onWheel={({ deltaY }) => (deltaY < 0 ? onFollow(false) : undefined)}
      onKeyDown={onKeyDown}
    >
      {log.from > 0 ? (
        <button type="button" className="more" onClick={log.loadEarlier}>
          Show earlier lines ({formatCount(log.from)} bytes before)
        </button>
      ) : null}
      {log.isLoaded && log.lines.length === 0 ? (
        <p className="quiet">Nothing was written{log.isLive ? " yet" : ""}.</p>
      ) : null}
      <p className={text === "" ? "unseen" : "quiet"} role="status">
        {text === ""
          ? ""
          : `${plural(lines.length, "line")} of ${formatCount(log.lines.length)} loaded ones match.`}
      </p>
      <DrawnLines
        lines={lines}
        scroller={scroller}
        isFollowing={isFollowing}
        chosen={chosen}
        onChoose={onChoose}
      />
    </div>
  );
}

function findLines({ lines, firstLine }: Log, text: string): readonly NumberedLine[] {
  const wanted = text.trim().toLowerCase();
  const all = lines.map((line, index) => ({ ...line, number: firstLine + index }));
  return wanted === "" ? all : all.filter((line) => line.text.toLowerCase().includes(wanted));
}

interface DrawnLinesProps extends Pick<LogLinesProps, "chosen" | "isFollowing" | "onChoose"> {
  readonly lines: readonly NumberedLine[];
  readonly scroller: RefObject<HTMLDivElement | null>;
}

function DrawnLines({ lines, scroller, isFollowing, chosen, onChoose }: DrawnLinesProps) {
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: "end" });
  }, [isFollowing, lines.length, virtualizer]);
  const chosenIndex = chosen === null ? -1 : lines.findIndex(({ number }) => number === chosen);
  useEffect(() => {
    if (chosenIndex >= 0) virtualizer.scrollToIndex(chosenIndex, { align: "center" });
  }, [chosenIndex >= 0, virtualizer]);
  return (
    <div className="log-body" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className={`log-line${index === chosenIndex ? " chosen" : ""}`}
          style={{ transform: `translateY(${start}px)` }}
        >
          <button
            type="button"
            className="line-link no-print"
            tabIndex={-1}
            aria-label={`Link to line ${lines[index]?.number ?? 0}`}
            onClick={() => onChoose(lines[index]?.number ?? 0)}
          >
            {lines[index]?.number}
          </button>
          <LineTime atMs={lines[index]?.atMs} />
          <Line text={lines[index]?.text ?? ""} pieces={lines[index]?.pieces} />
        </div>
      ))}
    </div>
  );
}

function LineTime({ atMs }: Pick<Partial<LogLine>, "atMs">) {
  if (atMs === undefined) return null;
  return (
    <time className="line-time" dateTime={new Date(atMs).toISOString()} title={formatMoment(atMs)}>
      {formatClock(atMs)}
    </time>
  );
}

function Line({ text, pieces }: Pick<LogLine, "text" | "pieces">) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= CUT)
    return pieces === undefined ? (
      <Outside text={text === "" ? "\u{a0}" : text} />
    ) : (
      <Coloured pieces={pieces} />
    );
  return (
    <>
      <Outside text={isWhole ? text : `${text.slice(0, CUT)}…`} />
      <button type="button" className="more" onClick={() => setWhole(!isWhole)}>
        {isWhole ? "less" : `all ${formatCount(text.length)} characters`}
      </button>
    </>
  );
}

/** The colours of the program's own output; each tone is a name of ours. */
function Coloured({ pieces }: { readonly pieces: readonly LogPiece[] }) {
  return (
    <bdi>
      {pieces.map(({ text, tone, isBold }, index) => (
        <span key={index} className={`${tone === "" ? "" : `ink-${tone}`}${isBold ? " ink-bold" : ""}`}>
          {text}
        </span>
      ))}
    </bdi>
  );
}
