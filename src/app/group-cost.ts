import * as z from "zod";
import type { StoreReader } from "../journal/store.ts";
import { CostGroups, costKeys } from "../reports/cost-groups.ts";
import { readSeenEvent, type SeenEvent } from "../reports/story-view.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  z.looseObject({
    by: z.array(z.enum(costKeys)),
    since: z.string().nullable(),
    groups: z.array(
      z.looseObject({
        group: z.array(z.string()).describe("One name for each key; empty where it is not known"),
        reports: z.int(),
        tokens_in: z.int(),
        tokens_out: z.int(),
        cost_usd: z.number().nullable().describe("Null where none was reported"),
        estimated: z.boolean(),
      }),
    ),
  });

export type CostGroupsAnswer = z.output<ReturnType<typeof output>>;

/** Sums the usage of all stories of the project by model, agent or day, or by several of them. */
export const groupCostUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      by: z.array(z.enum(costKeys)).min(1).max(costKeys.length),
      since: z.iso.datetime().optional().describe("Only what was reported since then"),
    }),
  output,
  isReadOnly: true,
  run: (context, { by, since }) =>
    readStore(context, async (reader) => {
      const groups = new CostGroups(by);
      if (reader !== undefined) await addAll(reader, groups, since ?? "");
      return { by, since: since ?? null, groups: groups.list() };
    }),
});

const PAGE = 1000;

/** Reads page by page: a journal may be large. */
async function addAll(reader: StoreReader, groups: CostGroups, since: string): Promise<void> {
  const agents = new Map<string, string>();
  const findAgent = async (id: string): Promise<string> => {
    const known = agents.get(id) ?? (await reader.delegation(id))?.agent ?? "";
    agents.set(id, known);
    return known;
  };
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, PAGE);
    for (const event of page.events.flatMap(({ body }) => readUsage(body)))
      if (event.at >= since) groups.add(event, await findAgent(event.delegation ?? event.story));
    if (page.events.length < PAGE) return;
    cursor = page.cursor;
  }
}

function readUsage(body: string): readonly SeenEvent[] {
  // Most events are something else, and parsing takes longer than looking.
  if (!body.includes('"usage-reported"')) return [];
  const event = readSeenEvent(JSON.parse(body));
  return event?.type === "usage-reported" ? [event] : [];
}
