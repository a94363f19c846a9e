import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState, type RefObject } from "react";
import { useKeys } from "../frame/keys.ts";
import { Outside } from "../parts/outside.tsx";
import { formatCount } from "../text/format.ts";
import type { Log } from "./use-log.ts";

interface LogLinesProps {
  readonly log: Log;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

const LINE_HEIGHT = 19;
const CUT = 600;
/** Closer to the end than this counts as being there. */
const NEAR = 24;

export function LogLines({ log, isFollowing, onFollow }: LogLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
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
      <DrawnLines lines={log.lines} scroller={scroller} isFollowing={isFollowing} />
    </div>
  );
}

interface DrawnLinesProps {
  readonly lines: readonly string[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly isFollowing: boolean;
}

function DrawnLines({ lines, scroller, isFollowing }: DrawnLinesProps) {
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: "end" });
  }, [isFollowing, lines.length, virtualizer]);
  return (
    <div className="log-body" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className="log-line"
          style={{ transform: `translateY(${start}px)` }}
        >
          <Line text={lines[index] ?? ""} />
        </div>
      ))}
    </div>
  );
}

function Line({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= CUT) return <Outside text={text === "" ? "\u{a0}" : text} />;
  return (
    <>
      <Outside text={isWhole ? text : `${text.slice(0, CUT)}…`} />
      <button type="button" className="more" onClick={() => setWhole(!isWhole)}>
        {isWhole ? "less" : `all ${formatCount(text.length)} characters`}
      </button>
    </>
  );
}
