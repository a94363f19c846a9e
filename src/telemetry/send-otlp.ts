import { gzipSync } from "node:zlib";
import { readErrorMessage } from "../base/delegation-error.ts";
import type { OtlpTraces } from "./otlp-json.ts";
import type { OtlpMetrics } from "./otlp-metrics.ts";
import { encodeRequest } from "./otlp-protobuf.ts";
import type { OtlpSettings } from "./otlp-settings.ts";

/** `later`: worth another try. `refused`: the collector will not take this, however often it comes. */
export type SendResult =
  | { readonly kind: "sent" }
  | { readonly kind: "later"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string };

export interface Sender {
  readonly settings: OtlpSettings;
  /** Ends a request that still runs. */
  readonly signal?: AbortSignal;
}

/** Sends one request to a collector. Never throws, never takes longer than the time allowed, follows no redirect. */
export async function sendOtlp(request: OtlpTraces | OtlpMetrics, sender: Sender): Promise<SendResult> {
  const { settings, signal } = sender;
  const isJson = settings.protocol === "http/json";
  const plain = isJson ? Buffer.from(JSON.stringify(request)) : encodeRequest(request);
  const limit = AbortSignal.timeout(settings.timeoutMs);
  try {
    const response = await fetch(settings.url, {
      method: "POST",
      // A redirect would carry the headers, and the key in them, to somewhere else.
      redirect: "manual",
      headers: {
        ...settings.headers,
        "content-type": isJson ? "application/json" : "application/x-protobuf",
        ...(settings.isCompressed ? { "content-encoding": "gzip" } : {}),
      },
      body: settings.isCompressed ? gzipSync(plain) : plain,
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    await response.body?.cancel();
    return judgeResponse(response.status);
  } catch (error) {
    return { kind: "later", reason: describeCause(error) };
  }
}

const worthAnother: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

function judgeResponse(status: number): SendResult {
  if (status >= 200 && status < 300) return { kind: "sent" };
  const reason = `the collector answered ${status}`;
  return { kind: worthAnother.has(status) || status === 500 ? "later" : "refused", reason };
}

/** `fetch failed` alone says nothing; its cause does. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return readErrorMessage(cause) || "no connection";
}
