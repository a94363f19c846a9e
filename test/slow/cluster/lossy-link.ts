import { connect, createServer, type Server, type Socket } from "node:net";

/** The network between one machine and PostgreSQL. While it is cut, connections hang as they do without a route. */
export class LossyLink {
  readonly #server: Server;
  readonly #target: URL;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;

  constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((client) => this.#relay(client));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    return url.href;
  }

  cut(): void {
    this.#isCut = true;
    for (const [client, server] of this.#pairs) {
      client.pause();
      server.pause();
    }
  }

  /** What hung is broken, as after a long silence. */
  mend(): void {
    this.#isCut = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.mend();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(client: Socket): void {
    if (this.#isCut) {
      client.on("error", () => undefined);
      return void client.destroy();
    }
    const server = connect(Number(this.#target.port || 5432), this.#target.hostname);
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", () => undefined).on("close", end);
    client.pipe(server);
    server.pipe(client);
  }
}
