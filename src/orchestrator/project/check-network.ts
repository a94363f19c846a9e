import { type Forwarding, forwardServices, type Service } from "../../containment/forward-services.ts";
import { probeNetwork } from "../../containment/probe-network.ts";
import type { PlacedCommand } from "../ports/work-place.ts";

/**
 * The network of the checks in one checkout: their own, with the services of the settings forwarded into it, so that
 * ports of other checks do not matter. Without the setting, or if this machine cannot do it, they use that of the
 * machine.
 */
export class CheckNetwork {
  readonly #services: readonly Service[] | null;
  #forwarding: Promise<Forwarding | undefined> | undefined;

  constructor(services: readonly Service[] | null | undefined) {
    this.#services = services ?? null;
  }

  /** Undefined if checks have the network of the machine. Opened once for all of them. */
  open(): Promise<Forwarding | undefined> {
    this.#forwarding ??= this.#forward();
    return this.#forwarding;
  }

  /** Puts a command that is not in a sandbox into it. */
  async enter(placed: PlacedCommand): Promise<PlacedCommand> {
    const forwarding = await this.open();
    if (forwarding === undefined) return placed;
    const { relay, hosts } = forwarding;
    return { ...placed, argv: [...relay, ...placed.argv], tier: "pid-namespace", ownNetwork: { hosts } };
  }

  async close(): Promise<void> {
    // If it could not be opened, the check has reported that.
    const forwarding = await this.#forwarding?.catch(() => undefined);
    forwarding?.close();
  }

  async #forward(): Promise<Forwarding | undefined> {
    if (this.#services === null) return undefined;
    const network = await probeNetwork();
    return network.kind === "works" ? forwardServices({ services: this.#services }, network.perl) : undefined;
  }
}
