import { basename } from "node:path";
import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** Whose account a delegation uses: its adapter's, else the one its model names, else that of the program it runs. */
export function providerOf(tools: Pick<RunTools, "findAdapter">, { work }: Pick<Delegation, "work">): string {
  const { provider, name } = tools.findAdapter(work?.adapter ?? "command");
  const model = work?.model ?? "";
  const slash = model.indexOf("/");
  const [program = ""] = work?.command ?? [];
  return provider ?? (slash > 0 ? model.slice(0, slash) : basename(program) || name);
}
