import type { Socket } from "node:net";
import { DatabaseRelay } from "./database-relay.ts";

/** Ends each connection at a given reply of the database, which the client does not get. */
export class CuttingRelay extends DatabaseRelay {
  readonly #lastReply: number;

  constructor(target: string, lastReply: number) {
    super(target);
    this.#lastReply = lastReply;
  }

  protected relay(client: Socket): void {
    const { server, end } = this.join(client);
    let replies = 0;
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => {
      replies += 1;
      if (replies < this.#lastReply) client.write(bytes);
      else end();
    });
  }
}
