import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between clients and PostgreSQL, at an address of its own. */
export abstract class DatabaseRelay {
  readonly #server: Server;
  readonly #target: URL;
  protected readonly sockets = new Set<Socket>();

  constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((client) => this.relay(client));
  }

  /** The address for the clients. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    return url.href;
  }

  async close(): Promise<void> {
    this.breakConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  protected connectToTarget(): Socket {
    return connect(Number(this.#target.port || 5432), this.#target.hostname);
  }

  /** A connection to the database for a client; both end together. What is passed on is up to the relay. */
  protected join(client: Socket): { readonly server: Socket; readonly end: () => void } {
    const server = this.connectToTarget();
    const end = (): void => {
      for (const socket of [client, server]) {
        socket.destroy();
        this.sockets.delete(socket);
      }
    };
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on("error", () => undefined).on("close", end);
    }
    return { server, end };
  }

  protected breakConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  protected abstract relay(client: Socket): void;
}
