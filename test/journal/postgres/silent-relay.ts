import type { Socket } from "node:net";
import { DatabaseRelay } from "./database-relay.ts";

/** The connections of one moment fall silent without being closed, as behind a firewall that forgot them. New ones work. */
export class SilentRelay extends DatabaseRelay {
  silence(): void {
    for (const socket of this.sockets) socket.pause();
  }

  protected relay(client: Socket): void {
    const { server } = this.join(client);
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => client.write(bytes));
  }
}
