import { countThings } from "../../base/count-things.ts";
import { asProjectOwner } from "../../supervisor/project-lock.ts";
import type { AppContext } from "../project/app-context.ts";
import { readJournalAnchor, writeJournalAnchor } from "../../workspace/journal-anchor.ts";
import { findProject, openWorkspaces, readStore } from "../project/open-project.ts";
import type { Finding } from "./finding.ts";

/** The person accepts the journal as it is: from now on, git records its end. */
async function anchorAgain(context: AppContext): Promise<void> {
  const { repository } = await openWorkspaces(context);
  if ((await readJournalAnchor(repository)) === undefined) return;
  const head = await readStore(context, (reader) => reader?.head() ?? Promise.resolve(undefined));
  if (head !== undefined) await writeJournalAnchor(repository, { events: head.seq, hash: head.hash });
}

const sources = {
  backup: "restored from its backup",
  both: "saved from the damaged file and its backup",
  store: "saved from the damaged file",
} as const;

/** Makes a damaged, emptied or deleted store usable again; says what was found and what is kept. */
export async function repairStoreOf(context: AppContext): Promise<Finding> {
  const { root, storeFile } = findProject(context);
  const { repairStore } = await import("../../journal/repair-store.ts");
  const repair = await asProjectOwner({ projectRoot: root, version: context.version }, () =>
    Promise.resolve(repairStore(storeFile, new Date().toISOString())),
  );
  const { status, events, from, aside, reason } = repair;
  if (status !== "empty") await anchorAgain(context);
  if (status === "sound")
    return { name: "repair", ok: true, detail: `the store is sound: ${countThings(events, "event")}` };
  if (status === "empty")
    return {
      name: "repair",
      ok: reason === "there is no file",
      detail: `nothing can be read from the store or a backup (${reason ?? "both are empty"})`,
      next: "Finished work is on the branches ambit/… and delegation/… in git. To begin again, move .git/ambit away.",
    };
  const place = aside === undefined ? "" : `; the damaged files are in ${aside}`;
  return {
    name: "repair",
    ok: true,
    detail: `${countThings(events, "event")} ${sources[from]} (${reason ?? "damaged"})${place}`,
    next: "Later work is missing from the journal, but its branches are in git: ambit doctor lists them.",
    isAdvice: true,
  };
}
