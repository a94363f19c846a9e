import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { startMeteringProxy, type MeteringProxyOptions } from "../../../src/agents/metering-proxy.ts";
import type { UsageReport } from "../../../src/contract/usage.ts";

export interface Provider {
  readonly url: string;
  /** Requests that arrived, in order. */
  readonly seen: IncomingMessage[];
}

/** A server that answers as the test says. */
export async function provider(
  answer: (message: IncomingMessage, response: ServerResponse) => void,
): Promise<Provider> {
  const seen: IncomingMessage[] = [];
  const server = createServer((message, response) => {
    seen.push(message);
    answer(message, response);
  });
  await new Promise<void>((resolve) => server.listen({ host: "127.0.0.1", port: 0 }, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, seen };
}

export interface Meter {
  readonly url: string;
  readonly reports: readonly UsageReport[];
  /** The last report of each request, which is also the largest. */
  readonly used: () => readonly UsageReport["usage"][];
}

/** A proxy in front of `upstream` that lets every request through unless the options say otherwise. */
export async function meter(upstream: string, options: Partial<MeteringProxyOptions> = {}): Promise<Meter> {
  const reports: UsageReport[] = [];
  const proxy = await startMeteringProxy({
    upstream,
    mayGo: () => true,
    ...options,
    onUsage: (report) => {
      reports.push(report);
      options.onUsage?.(report);
    },
  });
  onTestFinished(() => proxy.close());
  const used = () => [...new Map(reports.map(({ id, usage }) => [id, usage])).values()];
  return { url: proxy.url, reports, used };
}

/** Waits for an effect on the other side of a socket, without guessing how long that takes. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
