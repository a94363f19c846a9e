import type { Socket } from "node:net";
import { DatabaseRelay } from "../../journal/postgres/database-relay.ts";

/** The network between one machine and PostgreSQL. While it is cut, connections hang as they do without a route. */
export class LossyLink extends DatabaseRelay {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;

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

  protected override breakConnections(): void {
    this.mend();
  }

  protected relay(client: Socket): void {
    if (this.#isCut) {
      client.on("error", () => undefined);
      return void client.destroy();
    }
    const server = this.connectToTarget();
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
