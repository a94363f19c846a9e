import { basename } from "node:path";
import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** The provider for which nothing starts now, because its account is full on some machine. */
export function findFullProvider(
  tools: Pick<RunTools, "clock" | "findAdapter" | "rates">,
  delegation: Pick<Delegation, "work">,
): string | undefined {
  const { rates, clock } = tools;
  const provider = findProvider(tools, delegation);
  return rates?.closedUntil(provider, clock.monotonicMs()) === undefined ? undefined : provider;
}

/** The provider whose account a delegation uses: its adapter's, else its model's, else the program that it runs. */
export function findProvider(
  tools: Pick<RunTools, "findAdapter">,
  { work }: Pick<Delegation, "work">,
): string {
  const { provider, name } = tools.findAdapter(work?.adapter ?? "command");
  const model = work?.model ?? "";
  const slash = model.indexOf("/");
  const [program = ""] = work?.command ?? [];
  return provider ?? (slash > 0 ? model.slice(0, slash) : basename(program) || name);
}
