import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { isPrinting } from "../live/printing.ts";
import { useStore } from "../live/store.ts";
import { useCallback, useEffect, useRef, type RefObject } from "react";

interface Wanted {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** This row stays drawn wherever the list is scrolled to: a focused row must not vanish. */
  readonly activeIndex: number;
}

interface RowWindow {
  readonly height: number;
  readonly items: readonly { readonly index: number; readonly top: number }[];
}

/** Which rows of equal height to draw, and a way to bring one into view and give it the focus. */
export function useRowWindow(wanted: Wanted): {
  readonly window: RowWindow;
  readonly focusRow: (index: number) => void;
} {
  const { scroller, count, rowHeight, activeIndex } = wanted;
  const toFocus = useRef<number | null>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    rangeExtractor: (range) => withRow(range, activeIndex),
  });
  const focusRow = useCallback(
    (index: number): void => {
      toFocus.current = index;
      virtualizer.scrollToIndex(index, { align: "auto" });
    },
    [virtualizer],
  );
  useEffect(() => {
    if (toFocus.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${toFocus.current}"]`);
    if (row === null || row === undefined) return;
    toFocus.current = null;
    row.focus({ preventScroll: true });
  });
  const shown = virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start }));
  const all = (): RowWindow["items"] =>
    Array.from({ length: count }, (_, index) => ({ index, top: index * rowHeight }));
  return {
    window: { height: virtualizer.getTotalSize(), items: useStore(isPrinting) ? all() : shown },
    focusRow,
  };
}

function withRow(range: Range, index: number): number[] {
  const shown = defaultRangeExtractor(range);
  if (index < 0 || index >= range.count || shown.includes(index)) return shown;
  return [...shown, index].sort((one, other) => one - other);
}
