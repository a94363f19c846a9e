import { appendFileSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";

/** One request to the model server and its outcome. Keys and other headers are never kept. */
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
  /** The last tool result, shortened. */
  readonly lastResult?: string;
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
  readonly cut?: boolean;
  /** The tools that the script needed and the request did not offer. */
  readonly problem?: string;
  /** The request body, if the server was told to keep bodies. */
  readonly body?: unknown;
}

export interface RequestLog {
  readonly all: () => readonly RecordedRequest[];
  readonly add: (request: Omit<RecordedRequest, "index" | "at">) => void;
}

/** Keeps requests in memory and, without bodies, in a file if one is named. */
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
