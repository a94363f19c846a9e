import type { BuiltRun } from "../../../agents/adapter.ts";
import { startMeteringProxy, type MeteringProxy } from "../../../agents/metering-proxy.ts";
import { providerAddress } from "../../../agents/provider-address.ts";
import type { Delegation } from "../../../journal/store.ts";
import type { RateGate } from "../../../scheduler/rate-gate.ts";
import type { AttemptWatch } from "./attempt-watch.ts";
import { providerOf } from "../../delegation/find-provider.ts";
import type { RunTools } from "../../ports/run-tools.ts";

interface MeteringOptions {
  readonly delegation: Delegation;
  readonly watch: AttemptWatch;
  readonly rates: RateGate;
}

/** The metering proxy of one attempt, where the project wants one and the agent's program can be sent through it. */
export class Metering {
  readonly #tools: RunTools;
  readonly #options: MeteringOptions;
  #proxy: MeteringProxy | undefined;

  constructor(tools: RunTools, options: MeteringOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  /** What was built, with its requests to the model going through the proxy. */
  async redirect(built: BuiltRun): Promise<BuiltRun> {
    const { delegation, watch, rates } = this.#options;
    const address = providerAddress(delegation.work?.adapter ?? "command", this.#tools.environment);
    if (address === undefined || (await this.#tools.settings()).metering !== "proxy") return built;
    const provider = providerOf(this.#tools, delegation);
    this.#proxy = await startMeteringProxy({
      upstream: address.upstream,
      // Apart from the agent's own reports: of the same use, and not more of it.
      onUsage: (report) => watch.count({ ...report, scope: "request" }),
      mayGo: () => watch.mayGoOn,
      clock: this.#tools.clock,
      rateGate: {
        closedUntil: (nowMs) => rates.closedUntil(provider, nowMs),
        close: (refusal) => void rates.close(provider, refusal),
        answered: (nowMs) => rates.answered(provider, nowMs),
      },
    });
    return address.redirect(built, this.#proxy.url);
  }

  async close(): Promise<void> {
    await this.#proxy?.close();
  }
}
