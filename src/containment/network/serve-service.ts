import { connect, createServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import type { Service } from "./plan-relay.ts";

/** Connects each caller of the socket file to the service, byte for byte and in both directions until both have ended. */
export async function serveService({ host, port }: Service, file: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    joinSockets(caller, connect({ host, port, allowHalfOpen: true }));
  });
  await listenAt(server, file);
  return server;
}

export function listenAt(server: Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(file, resolve);
  });
}

/**
 * Ends each side when the other has ended, after the bytes that are still on their way; if one breaks off, so does the
 * other.
 */
export function joinSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      if (from.readableEnded) to.end(() => to.destroy());
      else to.destroy();
    });
  }
}
