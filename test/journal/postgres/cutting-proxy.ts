import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a store and PostgreSQL and cuts connections where it hurts. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #random = 1;
  /** The share of commits that are cut: half of them before the server sees them, half after it has committed. */
  share = 0;
  cutsBefore = 0;
  cutsAfter = 0;

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

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(client: Socket): void {
    const server = connect(Number(this.#target.port || 5432), this.#target.hostname);
    let isCutAfter = false;
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
    }
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    client.on("close", end);
    server.on("close", end);
    server.on("data", (bytes) => (isCutAfter ? end() : client.write(bytes)));
    client.on("data", (bytes) => {
      const cut = bytes.includes("ambit.append") ? this.#draw() : "none";
      if (cut === "before") return end();
      isCutAfter = cut === "after";
      server.write(bytes);
    });
  }

  /** The same sequence in every run. */
  #draw(): "none" | "before" | "after" {
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    const value = this.#random / 2_147_483_647;
    if (value >= this.share) return "none";
    if (value < this.share / 2) {
      this.cutsBefore += 1;
      return "before";
    }
    this.cutsAfter += 1;
    return "after";
  }
}
