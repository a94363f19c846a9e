import { homedir } from "node:os";
import { findCapabilities } from "../../agents/find-capabilities.ts";
import { findBudgetHold, type BudgetHold } from "../../agents/provider-address.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Failed } from "../../guards/verdict.ts";
import { loadPrices } from "../../ledger/prices.ts";
import { OUTSIDE_ADAPTER } from "../delegation/kind.ts";
import type { RunSettings, RunTools } from "../ports/run-tools.ts";
import type { Wish } from "./choose-worker.ts";
import type { CheckedStory } from "./preflight.ts";

interface BudgetCheck {
  readonly how: Pick<WorkSpec, "adapter" | "command" | "model">;
  readonly hasDollars: boolean;
  readonly hasTokens: boolean;
  readonly settings: Pick<RunSettings, "metering" | "unmetered">;
  /** The person accepts a budget that cannot be enforced. */
  readonly isAllowed: boolean;
}

export interface CheckedBudget {
  readonly refusals: readonly Failed[];
  readonly warnings: readonly string[];
}

const fine: CheckedBudget = { refusals: [], warnings: [] };

/** Ambit cannot know whether a program is an agent. */
const onlyPrinted: CheckedBudget = {
  refusals: [],
  warnings: ["This budget counts only the usage that the program itself prints; other usage is not seen."],
};

export function checkStoryBudget(
  tools: RunTools,
  { settings, budgetMicroUsd, budgetTokens, allowUnmetered }: CheckedStory,
  how: BudgetCheck["how"],
): Promise<CheckedBudget> {
  return checkBudget(tools, {
    how,
    hasDollars: (budgetMicroUsd ?? settings.limits.storyMicroUsd) !== null,
    hasTokens: budgetTokens !== undefined,
    settings,
    isAllowed: allowUnmetered === true,
  });
}

/** A worker's budget is a part of its manager's. */
export function checkWorkerBudget(
  tools: RunTools,
  { manager, request, settings }: Wish,
  work: WorkSpec,
): Promise<CheckedBudget> {
  const dollars = request.budget_usd ?? manager.money.limit ?? settings.limits.delegationMicroUsd;
  return checkBudget(tools, {
    how: work,
    hasDollars: dollars !== null,
    hasTokens: (request.budget_tokens ?? manager.tokens.limit) !== null,
    settings,
    isAllowed: work.allowUnmetered === true,
  });
}

/** A budget that cannot be enforced is refused before anything is spent, or reported if the person allows it. */
async function checkBudget(tools: RunTools, check: BudgetCheck): Promise<CheckedBudget> {
  const { how, hasDollars, hasTokens, settings, isAllowed } = check;
  if (how.adapter === OUTSIDE_ADAPTER || (!hasDollars && !hasTokens)) return fine;
  const why = explainUnheld(tools, check) ?? (hasTokens ? undefined : await explainUnpriced(tools, how));
  if (why === undefined) return findHold(tools, how).kind === "prints" ? onlyPrinted : fine;
  if (isAllowed || settings.unmetered === "allow")
    return { refusals: [], warnings: [`This budget does not limit ${how.adapter}: ${why}`] };
  return { refusals: [refuseBudget(how.adapter, why)], warnings: [] };
}

function explainUnheld(tools: RunTools, { how, settings }: BudgetCheck): string | undefined {
  const hold = findHold(tools, how);
  if (hold.kind === "reports" || hold.kind === "prints") return undefined;
  if (hold.kind === "none") return `${hold.why}, and its requests cannot be counted on their way`;
  if (settings.metering !== "none" || !hold.isNeeded) return undefined;
  return "it reports too late, and agents.metering is none";
}

/** How the usage of an agent becomes known in time, by the environment of its story. */
function findHold(
  tools: Pick<RunTools, "environment" | "findAdapter">,
  { adapter, command }: Pick<WorkSpec, "adapter" | "command">,
): BudgetHold {
  const { environment } = tools;
  const home = environment["HOME"] ?? homedir();
  return findBudgetHold(tools.findAdapter(adapter), { environment, home, command });
}

/** Dollars cannot be counted for a model without a price, unless its program names them. */
async function explainUnpriced(
  tools: RunTools,
  { adapter, command, model }: BudgetCheck["how"],
): Promise<string | undefined> {
  const { dollars } = findCapabilities(tools.findAdapter(adapter), command ?? []);
  if (model === undefined || dollars === true) return undefined;
  const priceOf = await loadPrices();
  const tokens = { inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
  const price = priceOf({ model, tokens, isOneRequest: true });
  return price === undefined ? `no price is known for the model ${model}` : undefined;
}

function refuseBudget(adapter: string, why: string): Failed {
  return {
    ok: false,
    code: "BUDGET_UNMETERED",
    message: `This budget cannot be held for ${adapter}: ${why}`,
    details: [],
    suggestion:
      "Use a key or an address that Ambit can read, another agent, or --tokens; --allow-unmetered starts it anyway.",
  };
}
