import { readdirSync } from "node:fs";
import { openReader } from "../../../src/journal/open-reader.ts";
import { openStore } from "../../../src/journal/open-store.ts";
import { storeFile } from "../../../src/journal/store-file.ts";
import type { NewStory, Store } from "../../../src/journal/store.ts";
import { defaultLimits } from "../../../src/contract/limits.ts";
import type { ApprovalKind } from "../../../src/contract/approval.ts";
import type { Criterion } from "../../../src/contract/task.ts";
import type { Ending } from "../../../src/cli/program.ts";
import { FakeClock, lease } from "../../reports/fill-store.ts";
import { runInProcess } from "../run-in-process.ts";
import { temporaryRepository } from "../temporary-folder.ts";
import { ownStoreFile } from "../../own-store-file.ts";

/** A repository whose store contains events. Nothing runs in it. */
export async function filledRepository(
  fill: (store: Store, clock: FakeClock) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const directory = temporaryRepository(files);
  const clock = new FakeClock();
  const store = openStore(ownStoreFile(directory), clock);
  await fill(store, clock);
  await store.close();
  return directory;
}

/** A story whose manager has begun. */
export async function openWork(store: Store, id: string, more: Partial<NewStory> = {}): Promise<void> {
  await store.openStory({
    id,
    kind: "story",
    title: `Work ${id}`,
    agent: "manager",
    limits: defaultLimits,
    ...more,
  });
  await store.begin(id, 1, lease);
}

export async function ask(
  store: Store,
  delegation: string,
  question: { readonly kind: ApprovalKind; readonly question?: string; readonly details?: string[] },
): Promise<string> {
  const { kind, question: text = "May it?", details = [] } = question;
  const approvalId = `${delegation}-${kind}-1`;
  await store.record({
    type: "approval-requested",
    story: storyOf(delegation),
    delegation,
    attempt: 1,
    data: { approvalId, kind, question: text, details },
  });
  return approvalId;
}

export async function checked(
  store: Store,
  delegation: string,
  finding: { readonly id: string; readonly verdict: "passed" | "failed"; readonly evidence?: string },
): Promise<void> {
  const { id, verdict, evidence = `found to be ${verdict}` } = finding;
  await store.record({
    type: "criterion-checked",
    story: storyOf(delegation),
    delegation,
    attempt: 1,
    data: { criterionId: id, text: `Text of ${id}`, verdict, evidence, by: "ambit" },
  });
}

export function criterion(id: string, more: Partial<Criterion> = {}): Criterion {
  return { id, text: `Text of ${id}`, required: true, verdict: "unverified", ...more };
}

function storyOf(delegation: string): string {
  return delegation.split("-DEL-")[0] ?? delegation;
}

export function run(
  directory: string,
  args: readonly string[],
  more: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly input?: string;
    readonly isTty?: boolean;
  } = {},
): Promise<Ending> {
  return runInProcess(args, { directory, environment: { PATH: process.env["PATH"] ?? "" }, ...more });
}

/** The journal and the list of files, which a command that only reads must not change. */
export async function stateOf(directory: string): Promise<unknown> {
  const reader = openReader(storeFile(directory));
  const head = await reader?.head();
  await reader?.close();
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return { head, names: names.filter((name) => !name.includes("ambit.db-")).toSorted() };
}

export async function json(
  directory: string,
  args: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run(directory, ["--json", ...args]);
  return JSON.parse(stdout);
}
