import type { Socket } from "node:net";
import { DatabaseRelay } from "./database-relay.ts";

/** Stands between a store and PostgreSQL and cuts connections where it hurts. */
export class CuttingProxy extends DatabaseRelay {
  #random = 1;
  /** The share of commits that are cut: half of them before the server sees them, half after it has committed. */
  share = 0;
  cutsBefore = 0;
  cutsAfter = 0;

  protected relay(client: Socket): void {
    const { server, end } = this.join(client);
    let isCutAfter = false;
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
