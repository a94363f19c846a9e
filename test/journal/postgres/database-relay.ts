import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between clients and PostgreSQL, at an address of its own. */
export abstract class DatabaseRelay {
  readonly #server: Server;
  readonly #target: URL;

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

  protected abstract relay(client: Socket): void;
  protected abstract breakConnections(): void;
}
