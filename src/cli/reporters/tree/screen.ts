import { replaceGlyphs } from "../../terminal/choose-ascii.ts";
import { writeOutput } from "../../terminal/write-output.ts";

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The terminal a tree is drawn on. */
export interface Screen {
  readonly write: (text: string) => void;
  readonly size: () => ScreenSize;
  /** Returns what takes the listener away again. */
  readonly onResize: (listener: () => void) => () => void;
}

/** Standard error, where progress goes. */
export function errorScreen({ ascii }: { readonly ascii: boolean }): Screen {
  return {
    write: (text) => void writeOutput("stderr", ascii ? replaceGlyphs(text) : text),
    size: () => ({ columns: process.stderr.columns || 80, rows: process.stderr.rows || 24 }),
    onResize: (listener) => {
      process.stderr.on("resize", listener);
      return () => process.stderr.off("resize", listener);
    },
  };
}
