import { realpathSync } from "node:fs";
import { carriers } from "./items/carrier-table.ts";
import { readCriterionItems, type CriteriaPlace } from "./items/read-criteria.ts";
import { readCarrier } from "./items/read-carrier.ts";
import { readSettingItems } from "./items/read-settings.ts";
import type { TrustItem } from "./items/trust-item.ts";

export type { CriteriaPlace } from "./items/read-criteria.ts";
export { hashItems, hideSecrets, type TrustItem } from "./items/trust-item.ts";

/** Everything in a project that would run, or change what runs. It only reads. */
export async function findTrustItems(place: CriteriaPlace): Promise<readonly TrustItem[]> {
  const root = realpathSync(place.projectRoot);
  const settings = await readSettingItems(root, place.configFile);
  const named = [...settings, ...carriers.flatMap((carrier) => readCarrier(root, carrier))];
  const known = new Set(settings.filter(isCommand).map(({ hash }) => hash));
  const criteria = await readCriterionItems({ ...place, projectRoot: root });
  return [...named, ...criteria.filter(({ hash }) => !known.has(hash) && known.add(hash))];
}

/** A command that the project may run anyway needs no second question if a criterion names it. */
function isCommand({ field }: TrustItem): boolean {
  return field === "verification.test" || field === "workspace.setup";
}
