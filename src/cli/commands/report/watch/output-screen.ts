import type { Screen } from "../../../reporters/tree/screen.ts";
import { writeOutput } from "../../../write-output.ts";

/** Standard output, where answers go. */
export function outputScreen(): Screen {
  return {
    write: (text) => void writeOutput("stdout", text),
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
    onResize: (listener) => {
      process.stdout.on("resize", listener);
      return () => process.stdout.off("resize", listener);
    },
  };
}
