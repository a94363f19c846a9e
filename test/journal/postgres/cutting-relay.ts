import type { Socket } from "node:net";
import { DatabaseRelay } from "./database-relay.ts";

/** Cuts each connection instead of passing a given answer of the database on. */
export class CuttingRelay extends DatabaseRelay {
  readonly #lastAnswer: number;
  readonly #sockets = new Set<Socket>();

  constructor(target: string, lastAnswer: number) {
    super(target);
    this.#lastAnswer = lastAnswer;
  }

  protected breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  protected relay(client: Socket): void {
    const server = this.connectToTarget();
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
    }
    let answers = 0;
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => {
      answers += 1;
      if (answers < this.#lastAnswer) client.write(bytes);
      else client.destroy();
    });
  }
}
