import type { Socket } from "node:net";
import { DatabaseRelay } from "./database-relay.ts";

/** The connections of one moment fall silent without being closed, as behind a firewall that forgot them. New ones work. */
export class SilentRelay extends DatabaseRelay {
  readonly #sockets = new Set<Socket>();

  silence(): void {
    for (const socket of this.#sockets) socket.pause();
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
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => client.write(bytes));
  }
}
