import { homedir } from "node:os";
import type { BuiltRun } from "../../../agents/adapter.ts";
import { startMeteringProxy, type MeteringProxy } from "../../../agents/metering-proxy.ts";
import {
  findBudgetHold,
  findProviderAddress,
  findReportedUsage,
  type ProviderAddress,
} from "../../../agents/provider-address.ts";
import type { RateGate } from "../../../scheduler/rate-gate.ts";
import type { AttemptWatch } from "./attempt-watch.ts";
import { nameAttemptFiles } from "../../delegation/attempt-files.ts";
import { findProvider } from "../../delegation/find-provider.ts";
import { keepRequest } from "./kept-requests.ts";
import { addNote } from "../../delegation/record.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";
import { isCutOff } from "./worker-reach.ts";

interface MeteringOptions {
  readonly attempt: PreparedAttempt;
  readonly watch: AttemptWatch;
  readonly rates: RateGate;
}

/** The metering proxy of one attempt, if the project wants one and the agent's program can use it. */
export class Metering {
  readonly #tools: RunTools;
  readonly #options: MeteringOptions;
  #proxy: MeteringProxy | undefined;

  constructor(tools: RunTools, options: MeteringOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  /** The built run, with its model requests going through the proxy. */
  async redirectRequests(built: BuiltRun, agentHome: string): Promise<BuiltRun> {
    const { attempt, watch, rates } = this.#options;
    const address = await this.#chooseAddress();
    if (address === undefined) {
      await this.#tellUnreported();
      return built;
    }
    const provider = findProvider(this.#tools, attempt.delegation);
    const { requests } = nameAttemptFiles(this.#tools.stateDirectory, attempt.delegation);
    this.#proxy = await startMeteringProxy({
      upstream: address.upstream,
      // Requests have a scope of their own: the proxy counts the same usage as the agent's reports, not additional usage.
      onUsage: (report) => {
        keepRequest(requests, report);
        watch.countUsage({ ...report, scope: "request" });
      },
      onBegun: (report) => keepRequest(requests, report, true),
      mayGo: () => watch.mayAskModel(),
      clock: this.#tools.clock,
      rateGate: {
        closedUntil: (nowMs) => rates.closedUntil(provider, nowMs),
        close: (refusal) => void rates.closeGate(provider, refusal),
        answered: (nowMs) => rates.markAnswered(provider, nowMs),
      },
    });
    return address.redirect(built, this.#proxy.url, agentHome);
  }

  /** Undefined if the agent talks to its provider directly. */
  async #chooseAddress(): Promise<ProviderAddress | undefined> {
    const { attempt } = this.#options;
    const { money, tokens, work } = attempt.delegation;
    const { adapter = "command", command = [] } = work ?? {};
    const { environment } = this.#tools;
    const setup = { environment, home: environment["HOME"] ?? homedir(), command };
    const { metering } = await this.#tools.settings();
    // Without the network of the machine the proxy is the way to the provider.
    const isNeeded = (await isCutOff(this.#tools, attempt)) || findReportedUsage(adapter, command) !== "all";
    const isWanted = metering === "proxy" || (metering === "auto" && isNeeded);
    if (isWanted) return findProviderAddress(adapter, setup);
    const hasBudget = money.limit !== null || tokens.limit !== null;
    if (metering === "none" || !hasBudget) return undefined;
    const hold = findBudgetHold(this.#tools.findAdapter(adapter), setup);
    return hold.kind === "proxy" ? hold.address : undefined;
  }

  /** Warns that its figures look complete and are not. */
  async #tellUnreported(): Promise<void> {
    const { delegation } = this.#options.attempt;
    const { adapter = "command", command = [] } = delegation.work ?? {};
    if (delegation.attempt > 1 || findReportedUsage(adapter, command) !== "some") return;
    const text =
      "It makes additional requests that it does not report: its tokens and its cost are not complete.";
    await addNote(this.#tools, delegation, text);
  }

  /** Undefined if the agent talks to its provider directly. */
  get proxyPort(): number | undefined {
    return this.#proxy === undefined ? undefined : Number(new URL(this.#proxy.url).port);
  }

  async closeProxy(): Promise<void> {
    await this.#proxy?.close();
  }
}
