import { realpathSync } from "node:fs";
import { carriers } from "./items/carrier-table.ts";
import { readCarrier } from "./items/read-carrier.ts";
import { readSettingItems } from "./items/read-settings.ts";
import type { TrustItem } from "./items/trust-item.ts";

export { hashItems, hideSecrets, type TrustItem } from "./items/trust-item.ts";

/** Everything in a project that would run, or change what runs. It only reads. */
export async function findTrustItems(projectRoot: string): Promise<readonly TrustItem[]> {
  const root = realpathSync(projectRoot);
  const settings = await readSettingItems(root);
  return [...settings, ...carriers.flatMap((carrier) => readCarrier(root, carrier))];
}
