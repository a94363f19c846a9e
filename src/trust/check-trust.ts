import { join } from "node:path";
import { isInside } from "../base/files.ts";
import { userTrustPath, type UserFolders } from "../config/config-paths.ts";
import { trustErrors } from "../errors/trust.ts";
import { findCommonDirectory } from "../project/find-project.ts";
import { findTrustItems, hashItems, hideSecrets, type CriteriaPlace, type TrustItem } from "./find-items.ts";
import { compareItems, type ItemChange } from "./record/compare-items.ts";
import { readTrustRecord, writeTrustRecord, type TrustedItem } from "./record/trust-file.ts";

export type TrustPlace = CriteriaPlace;

/** The things that a project would run, and the person's decision about them. */
export interface TrustCheck {
  /** `changed`: something differs from what was trusted. */
  readonly state: "nothing-named" | "trusted" | "unknown" | "changed";
  readonly hash: string;
  readonly items: readonly TrustItem[];
  /** Everything that was not trusted as it is now. */
  readonly changes: readonly ItemChange[];
  /** When the person decided; null if never. */
  readonly trustedAt: string | null;
}

/** Compares what the project names with the record of its person. It only reads. */
export async function checkTrust(place: TrustPlace): Promise<TrustCheck> {
  const items = await findTrustItems(place);
  const hash = hashItems(items);
  const file = findTrustFile(place);
  const record = file === undefined ? undefined : readTrustRecord(file, nameProject(place));
  const trustedAt = record?.at ?? null;
  if (items.length === 0) return { state: "nothing-named", hash, items, changes: [], trustedAt };
  if (record?.hash === hash) return { state: "trusted", hash, items, changes: [], trustedAt };
  const changes = compareItems(record?.items ?? [], items);
  // Less than what was trusted runs nothing new.
  const isLess = record !== undefined && changes.every(({ change }) => change === "removed");
  const state = isLess ? "trusted" : record === undefined ? "unknown" : "changed";
  return { state, hash, items, changes: isLess ? [] : changes, trustedAt };
}

/** Remembers that the person trusts these items as they are. */
export async function recordTrust(place: TrustPlace, check: TrustCheck): Promise<void> {
  const file = requireTrustFile(place);
  const { hash, items } = check;
  const kept = listOtherCriteria(readTrustRecord(file, nameProject(place))?.items ?? [], items);
  const record = { hash, at: new Date().toISOString(), items: [...shortenItems(items), ...kept] };
  await writeTrustRecord(file, nameProject(place), record);
}

const MAX_KEPT_CRITERIA = 1000;

/** Commands of tasks and files that are not looked at now stay trusted: they are asked about once. */
function listOtherCriteria(
  trusted: readonly TrustedItem[],
  present: readonly TrustItem[],
): readonly TrustedItem[] {
  const hashes = new Set(present.map(({ hash }) => hash));
  const others = trusted.filter(({ hash, isCriterion }) => isCriterion === true && !hashes.has(hash));
  return others.slice(0, MAX_KEPT_CRITERIA);
}

/** Forgets the decision about a project; answers whether there was one. */
export async function revokeTrust(place: TrustPlace): Promise<boolean> {
  const file = findTrustFile(place);
  if (file === undefined || readTrustRecord(file, nameProject(place)) === undefined) return false;
  await writeTrustRecord(file, nameProject(place), undefined);
  return true;
}

/** Whether a value of the environment allows everything for this one command. A project cannot set it for itself. */
export function isTrustedByVariable(
  { environment }: Pick<UserFolders, "environment">,
  items: readonly TrustItem[],
): boolean {
  return environment[VARIABLE] === "1" && !items.some(mayNameVariable);
}

const VARIABLE = "AMBIT_TRUST";

/** For example as a variable of the MCP server that it wants to be started. */
function mayNameVariable({ text, isCut }: TrustItem): boolean {
  return isCut === true || decodeEscapes(text).includes(VARIABLE);
}

function decodeEscapes(text: string): string {
  return text.replaceAll(/\\(?:U0000([\da-fA-F]{4})|u([\da-fA-F]{4})|x([\da-fA-F]{2}))/gu, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(escape.startsWith("\\U") ? 6 : 2), 16)),
  );
}

/** All worktrees of a repository share one decision. */
function nameProject({ projectRoot }: TrustPlace): string {
  return findCommonDirectory(projectRoot) ?? projectRoot;
}

/** A file inside the project could have come with it. A person whose home folder is the project has no other place. */
function findTrustFile(place: TrustPlace): string | undefined {
  const file = userTrustPath(place);
  const { projectRoot, homeDirectory } = place;
  if (file === undefined || !isInside(file, projectRoot)) return file;
  return homeDirectory !== undefined && isInside(join(homeDirectory, "x"), projectRoot) ? file : undefined;
}

function requireTrustFile(place: TrustPlace): string {
  const file = findTrustFile(place);
  if (file === undefined) throw trustErrors.noPlace();
  return file;
}

const MAX_ITEM_TEXT = 16 * 1024;
const MAX_ALL_TEXT = 512 * 1024;

/** The hashes decide; the texts are only shown, so long ones are cut. */
function shortenItems(items: readonly TrustItem[]): readonly TrustedItem[] {
  let left = MAX_ALL_TEXT;
  return items.map(({ file, field, hash, text, isCriterion }) => {
    const kept = hideSecrets(text).slice(0, Math.min(MAX_ITEM_TEXT, left));
    left -= kept.length;
    return { file, field, hash, text: kept, ...(isCriterion === true ? { isCriterion } : {}) };
  });
}
