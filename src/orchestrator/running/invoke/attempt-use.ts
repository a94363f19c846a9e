import type { AttemptCost, Usage, UsageReport } from "../../../contract/usage.ts";
import type { Delegation, SpendResult } from "../../../journal/store.ts";
import { loadPrices } from "../../../ledger/prices.ts";
import { UsageMeter, type PriceOf } from "../../../ledger/usage-meter.ts";
import type { RunTools } from "../../ports/run-tools.ts";

export type Pressure = Extract<SpendResult, { kind: "ok" }>["pressure"];

/** Books what one attempt uses. Whoever calls sees to it that one booking follows the other. */
export class AttemptUse {
  readonly #tools: RunTools;
  readonly #delegation: Delegation;
  readonly #meter: UsageMeter;
  readonly #waiting: UsageReport[] = [];
  #hasToldOfPrices: boolean;

  constructor(tools: RunTools, delegation: Delegation) {
    this.#tools = tools;
    this.#delegation = delegation;
    this.#meter = new UsageMeter(delegation.sessionUse, delegation.work?.model);
    this.#hasToldOfPrices = delegation.unpricedTokens > 0;
  }

  /** Reports that come together are booked together: a total beside the steps it holds is one increase. */
  take(report: UsageReport): void {
    this.#waiting.push(report);
  }

  /** How near its limits it is now; undefined when nothing was booked. */
  async book(): Promise<Pressure | undefined> {
    const reports = this.#waiting.splice(0);
    const priceOf = reports.some((report) => this.#needsPrice(report)) ? await pricesIfAny() : noPrices;
    for (const report of reports) this.#meter.take(report, priceOf);
    const usage = this.#meter.due();
    if (usage === undefined) return undefined;
    const { id, attempt } = this.#delegation;
    const result = await this.#tools.store.spend(id, attempt, usage);
    if (usage.source === "unpriced") await this.#tellOfPrices(usage);
    return result.kind === "ok" ? result.pressure : undefined;
  }

  /** Undefined while nothing was reported. */
  get cost(): AttemptCost | undefined {
    return this.#meter.cost();
  }

  /** The list is large: who invents its use, or names no model, does without. */
  #needsPrice({ usage }: UsageReport): boolean {
    const model = usage.model ?? this.#delegation.work?.model;
    return model !== undefined && usage.source !== "simulated";
  }

  async #tellOfPrices({ model }: Usage): Promise<void> {
    if (this.#hasToldOfPrices) return;
    this.#hasToldOfPrices = true;
    const { id, story, attempt, money } = this.#delegation;
    const who =
      model === undefined
        ? "It does not say which model it uses"
        : `No price is known for the model ${model}`;
    const budget = money.limit === null ? "" : " Its budget in dollars cannot hold it; one in tokens can.";
    const text = `${who}: its tokens count, its dollars do not.${budget}`;
    await this.#tools.store.record({ type: "note-added", story, delegation: id, attempt, data: { text } });
  }
}

const noPrices: PriceOf = () => undefined;

/** Without its price list Ambit still counts tokens. */
async function pricesIfAny(): Promise<PriceOf> {
  return loadPrices().catch(() => noPrices);
}
