import type { Readable } from "node:stream";

/** Environment variables as data: `process.env` in the program, a plain object in tests. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type OutputStream = "stdout" | "stderr";
export type StandardInput = Readable & { readonly isTTY?: boolean; readonly fd?: number };

/** The process as far as a command may know it. */
export interface Terminal {
  readonly environment: Environment;
  readonly currentDirectory: () => string;
  readonly isTty: (stream: OutputStream | "stdin") => boolean;
  readonly stdin: () => StandardInput;
  readonly writeError: (text: string) => void;
}
