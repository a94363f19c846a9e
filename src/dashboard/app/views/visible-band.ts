import { useEffect, useState, type RefObject } from "react";

export interface Band {
  readonly top: number;
  readonly bottom: number;
}

/** Extra height above and below the visible part, so that scrolling shows no gaps. */
const MARGIN = 400;
const STEP = 200;

/** The visible part of a tall drawing, in the drawing's own units and in coarse steps. */
export function useVisibleBand(scroller: RefObject<HTMLElement | null>, zoom: number): Band {
  const [band, setBand] = useState<Band>({ top: 0, bottom: 1600 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = (): void => {
      const top = Math.floor((element.scrollTop / zoom - MARGIN) / STEP) * STEP;
      const bottom = Math.ceil(((element.scrollTop + element.clientHeight) / zoom + MARGIN) / STEP) * STEP;
      setBand((before) => (before.top === top && before.bottom === bottom ? before : { top, bottom }));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, zoom]);
  return band;
}
