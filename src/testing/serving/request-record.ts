import { appendFileSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";

/** One request a model server saw, and what it made of it. Keys and other headers are never kept. */
export interface RecordedRequest {
  /** Counted from 0, in the order of arrival. */
  readonly index: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** `scripted` was answered from a script; `side` has no marker or offers no tools. */
  readonly kind: "scripted" | "side" | "count" | "models" | "hello" | "refused" | "unknown";
  readonly status: number;
  readonly bytes: number;
  readonly api?: string;
  readonly model?: string;
  readonly stream?: boolean;
  /** Full names of the tools the model was offered. */
  readonly tools?: readonly string[];
  readonly script?: string;
  readonly turn?: number;
  readonly step?: number;
  /** Full names of the tools the model called. */
  readonly calls?: readonly string[];
  readonly text?: string;
  /** What the last tool answered, shortened. */
  readonly lastResult?: string;
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
  readonly cut?: boolean;
  /** What the script wanted and could not have. */
  readonly problem?: string;
  /** The request as it was sent; only where the server was told to keep them. */
  readonly body?: unknown;
}

export interface RequestLog {
  readonly all: () => readonly RecordedRequest[];
  readonly add: (request: Omit<RecordedRequest, "index" | "at">) => void;
}

/** In memory, and as lines of a file where one is named; bodies stay out of the file. */
export function createRequestLog(options: {
  readonly file?: string | undefined;
  readonly clock: Clock;
}): RequestLog {
  const requests: RecordedRequest[] = [];
  return {
    all: () => [...requests],
    add: (request) => {
      const recorded = {
        index: requests.length,
        at: new Date(options.clock.wallMs()).toISOString(),
        ...request,
      };
      requests.push(recorded);
      if (options.file === undefined) return;
      const { body: _, ...line } = recorded;
      appendFileSync(options.file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
  };
}
