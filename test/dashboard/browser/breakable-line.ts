import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A line between browser and server that can be cut. The server sees its own address, the browser that of the line. */
export interface BreakableLine {
  readonly origin: string;
  /** Every connection ends, and no new one is answered, until it is mended. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => void;
}

/** The two ports have as many digits, so that a name can stand for the other without changing any length. */
export async function breakableLine(serverPort: number): Promise<BreakableLine> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((outer) => {
    if (isCut) {
      outer.destroy();
      return;
    }
    const inner = connect(serverPort, "127.0.0.1");
    for (const socket of [outer, inner]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => undefined);
    }
    outer.on("data", (bytes: Buffer) => inner.write(renamed(bytes)));
    inner.on("data", (bytes: Buffer) => outer.write(bytes));
    outer.on("close", () => inner.destroy());
    inner.on("close", () => outer.destroy());
  });
  const port = await listenWithDigits(server, String(serverPort).length);
  const names = [`127.0.0.1:${port}`, `127.0.0.1:${serverPort}`] as const;
  const renamed = (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString("latin1").replaceAll(names[0], names[1]), "latin1");
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://${names[0]}`,
    cut: () => {
      isCut = true;
      endAll();
    },
    mend: () => void (isCut = false),
    close: () => {
      endAll();
      server.close();
    },
  };
}

async function listenWithDigits(server: ReturnType<typeof createServer>, digits: number): Promise<number> {
  for (;;) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    if (String(port).length === digits) return port;
    server.close();
    await once(server, "close");
  }
}
