import { randomInt } from "node:crypto";
import { MAX_WAYS } from "../../contract/limits.ts";
import { templateErrors } from "../../errors/templates.ts";
import type { StoreReader } from "../../journal/store.ts";
import { readTemplate } from "../../templates/read-templates.ts";
import type { AppContext } from "../project/app-context.ts";
import { readStore } from "../project/open-project.ts";
import type { NamedTemplate } from "./apply-template.ts";

/** The way without a template. */
const NO_TEMPLATE = "none";

/** How a story is divided, and the ways it was assigned among, if there was a choice. */
export interface ChosenWay {
  readonly template: NamedTemplate | undefined;
  readonly ways: string[] | undefined;
}

export interface WayWish {
  readonly projectRoot: string;
  /** A template, or several with commas. */
  readonly asked: string | undefined;
  /** `delegation.ways`, for stories that ask for nothing. */
  readonly usual: readonly string[];
}

/**
 * Chooses the template of a story. Of several ways it takes one that fewest stories of the same comparison have had, by
 * chance (R185): neither the person nor the kind of story decides, so that the results can be compared.
 */
export async function chooseWay(context: AppContext, wish: WayWish): Promise<ChosenWay> {
  const { projectRoot, asked, usual } = wish;
  const names = [...new Set(asked === undefined ? usual : asked.split(",").map((name) => name.trim()))];
  if (names.length > MAX_WAYS) throw templateErrors.tooManyWays(names.length, MAX_WAYS);
  const found = new Map<string, NamedTemplate | undefined>();
  for (const name of names) found.set(name, await findTemplate(projectRoot, name));
  if (names.length < 2) return { template: found.get(names[0] ?? NO_TEMPLATE), ways: undefined };
  const way = await assignWay(context, names);
  return { template: found.get(way), ways: names };
}

async function findTemplate(projectRoot: string, wanted: string): Promise<NamedTemplate | undefined> {
  if (wanted === NO_TEMPLATE) return undefined;
  const { name, template } = await readTemplate(projectRoot, wanted);
  return template === undefined ? undefined : { name, template };
}

async function assignWay(context: AppContext, names: readonly string[]): Promise<string> {
  const counts = await readStore(context, (reader) => countAssigned(reader, names));
  const fewest = Math.min(...names.map((name) => counts.get(name) ?? 0));
  const rarest = names.filter((name) => (counts.get(name) ?? 0) === fewest);
  return rarest[randomInt(rarest.length)] ?? NO_TEMPLATE;
}

const MAX_STORIES = 200;

/** Stories of the same comparison, by the way they were assigned to. */
async function countAssigned(
  reader: StoreReader | undefined,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const comparison = names.toSorted().join(",");
  for (const { id } of (await reader?.stories(MAX_STORIES)) ?? []) {
    const work = (await reader?.delegation(id))?.work;
    if (work?.ways?.toSorted().join(",") !== comparison) continue;
    const way = work.template ?? NO_TEMPLATE;
    counts.set(way, (counts.get(way) ?? 0) + 1);
  }
  return counts;
}
