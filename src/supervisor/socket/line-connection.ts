import type { Socket } from "node:net";

/** One JSON document per line, both ways, over a stream socket. */
export interface LineConnection {
  send(message: unknown): void;
  close(): void;
}

export interface LineHandlers {
  readonly onMessage: (message: unknown) => void;
  readonly onClose: () => void;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Reads lines and never holds more than one. A peer that sends an endless or broken line is cut off. */
export function overSocket(socket: Socket, handlers: LineHandlers): LineConnection {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  socket.on("data", (chunk) => {
    let rest: Buffer = Buffer.from(chunk);
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...pending, rest.subarray(0, end)]);
      pending = [];
      pendingBytes = 0;
      rest = rest.subarray(end + 1);
      if (!deliver(line, handlers)) return void socket.destroy();
    }
    pending.push(rest);
    pendingBytes += rest.length;
    if (pendingBytes > MAX_LINE_BYTES) socket.destroy();
  });
  // A broken connection counts as closed, which `close` reports.
  socket.on("error", () => socket.destroy());
  socket.on("close", handlers.onClose);
  return {
    send: (message) => {
      if (!socket.destroyed) socket.write(`${JSON.stringify(message, keepInfinite)}\n`);
    },
    close: () => void socket.end(),
  };
}

/** JSON would make `1e400` null, which means "not given"; as text it is refused if a number is needed. */
function keepInfinite(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

function deliver(line: Buffer, handlers: LineHandlers): boolean {
  try {
    const message: unknown = JSON.parse(line.toString("utf8"));
    handlers.onMessage(message);
    return true;
  } catch {
    // The text is not JSON: the peer does not speak our protocol.
    return false;
  }
}
