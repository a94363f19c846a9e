import { findCapabilities } from "../../../agents/find-capabilities.ts";
import type { AttemptCost, Usage, UsageReport } from "../../../contract/usage.ts";
import type { Delegation, SpendResult } from "../../../journal/store.ts";
import { loadPrices } from "../../../ledger/prices.ts";
import {
  noSpending,
  subtractSpent,
  UsageMeter,
  type PriceOf,
  type Spent,
} from "../../../ledger/usage-meter.ts";
import { addNote } from "../../delegation/record.ts";
import type { RunTools } from "../../ports/run-tools.ts";

/** `unmetered`: its budget in dollars can no longer be enforced, because a model has no price. */
export type Pressure = Extract<SpendResult, { kind: "ok" }>["pressure"] | "unmetered";

/** Books the usage of one attempt. The caller makes sure that bookings do not overlap. */
export class AttemptUse {
  readonly #tools: RunTools;
  readonly #delegation: Delegation;
  readonly #meter: UsageMeter;
  readonly #waiting: UsageReport[] = [];
  #hasWarned: boolean;

  /** `booked` is the usage that the journal already has of this attempt, if an earlier runtime began it. */
  constructor(tools: RunTools, delegation: Delegation, booked: Spent = noSpending) {
    this.#tools = tools;
    this.#delegation = delegation;
    const earlier = subtractSpent(delegation.sessionUse, booked);
    this.#meter = new UsageMeter(earlier, delegation.work?.model, booked);
    this.#hasWarned = delegation.unpricedTokens > 0;
    // While the list loads, a fast agent would make its next requests.
    if (delegation.money.limit !== null) void loadPricesIfPresent();
  }

  /** Reports that come together are booked together: a total and the steps it contains are one increase. */
  queueReport(report: UsageReport): void {
    this.#waiting.push(report);
  }

  /** Tells how near its limits it is now; undefined if nothing was booked. */
  async bookReports(): Promise<Pressure | undefined> {
    const reports = this.#waiting.splice(0);
    const priceOf = reports.some((report) => this.#needsPrice(report))
      ? await loadPricesIfPresent()
      : noPrices;
    for (const report of reports) this.#meter.take(report, priceOf);
    const usage = this.#meter.due();
    if (usage === undefined) return undefined;
    const { id, attempt } = this.#delegation;
    const result = await this.#tools.store.spend(id, attempt, usage);
    if (usage.source === "unpriced") {
      await this.#warnUnpriced(usage);
      if (this.#mustHoldDollars()) return "unmetered";
    }
    return result.kind === "ok" ? result.pressure : undefined;
  }

  /** Undefined while nothing was reported. */
  get cost(): AttemptCost | undefined {
    return this.#meter.cost();
  }

  /** The price list is large, so simulated usage and usage without a model do not load it. */
  #needsPrice({ usage }: UsageReport): boolean {
    const model = usage.model ?? this.#delegation.work?.model;
    return model !== undefined && usage.source !== "simulated";
  }

  /** Whether dollars are its only limit, and only the price list can count them. */
  #mustHoldDollars(): boolean {
    const { money, tokens, work } = this.#delegation;
    if (money.limit === null || tokens.limit !== null || work?.allowUnmetered === true) return false;
    const adapter = this.#tools.findAdapter(work?.adapter ?? "command");
    return findCapabilities(adapter, work?.command ?? []).dollars !== true;
  }

  async #warnUnpriced({ model }: Usage): Promise<void> {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { money } = this.#delegation;
    const reason =
      model === undefined
        ? "It does not say which model it uses"
        : `No price is known for the model ${model}`;
    const budget = money.limit === null ? "" : " A budget in dollars cannot limit it; one in tokens can.";
    const text = `${reason}: its tokens count, its dollars do not.${budget}`;
    await addNote(this.#tools, this.#delegation, text);
  }
}

const noPrices: PriceOf = () => undefined;

/** Without its price list Ambit still counts tokens. */
async function loadPricesIfPresent(): Promise<PriceOf> {
  return loadPrices().catch(() => noPrices);
}
