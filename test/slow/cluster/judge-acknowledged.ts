import { existsSync } from "node:fs";
import { openReader } from "../../../src/journal/open-reader.ts";
import { storeFile } from "../../../src/journal/store-file.ts";
import { PARTS } from "./make-project.ts";
import { idsOf, type RunFacts } from "./run-facts.ts";

/**
 * A machine's own tables are committed after PostgreSQL has acknowledged a step, and a manager leaves a mark when its delegations
 * were acknowledged. What either says must be in the journal; and the sums of the coordinator's tables are those of the events.
 */
export async function judgeAcknowledged(facts: RunFacts): Promise<readonly string[]> {
  const heads = await Promise.all([facts.root, ...facts.clones].map((folder) => judgeHead(folder, facts)));
  return [...heads.flat(), ...judgeMarks(facts), ...(await judgeSums(facts))];
}

/** Each hash holds that of the event before: an equal end proves an equal chain. */
async function judgeHead(folder: string, { hashes }: RunFacts): Promise<readonly string[]> {
  const reader = openReader(storeFile(folder));
  // A machine that never came to its first step.
  if (reader === undefined) return [];
  try {
    const { seq, hash } = await reader.head();
    return seq === 0 || hashes.get(seq) === hash
      ? []
      : [`event ${seq} was acknowledged in ${folder} and is not in the journal`];
  } finally {
    await reader.close();
  }
}

function judgeMarks({ events, log }: RunFacts): readonly string[] {
  return idsOf(events, ["story-opened"]).flatMap((story) => {
    const admitted = events.filter(
      ({ type, story: of, delegation }) =>
        type === "delegation-admitted" && of === story && delegation !== null,
    );
    const isRight = admitted.length === PARTS || (!existsSync(`${log}.${story}`) && admitted.length === 0);
    return isRight ? [] : [`${story}: ${admitted.length} parts were admitted instead of ${PARTS}`];
  });
}

async function judgeSums({ events, root }: RunFacts): Promise<readonly string[]> {
  const reader = openReader(storeFile(root));
  if (reader === undefined) return ["the coordinator has no tables"];
  try {
    const sums = new Map<string, number>();
    for (const { type, delegation, data } of events)
      if (type === "usage-reported" && delegation !== null)
        sums.set(delegation, (sums.get(delegation) ?? 0) + data.microUsd);
    const faults: string[] = [];
    for (const id of idsOf(events, ["story-opened", "delegation-admitted"])) {
      const [booked, said] = [(await reader.delegation(id))?.microUsd, sums.get(id) ?? 0];
      if (booked !== said) faults.push(`${id}: ${booked} micro-dollars are booked, the journal says ${said}`);
    }
    return faults;
  } finally {
    await reader.close();
  }
}
