import { delegationDocument } from "../documents/delegation.ts";
import { readOwnEvents } from "../documents/own-events.ts";
import type { Message, StoreReader } from "../../journal/store.ts";
import type { DelegationDetail } from "../wire.ts";
import { notFound } from "./answers.ts";
import type { ProjectReader } from "./project.ts";

const MOST_MESSAGES = 200;

export async function readDetail(project: ProjectReader, id: string): Promise<DelegationDetail> {
  const reader = project.reader();
  const delegation = await reader?.delegation(id);
  if (reader === undefined || delegation === undefined) throw notFound(`delegation ${id}`);
  const view = await project.view(delegation.story);
  const detail =
    view === undefined
      ? undefined
      : delegationDocument(view, {
          delegation,
          events: await readOwnEvents(reader, id),
          approvals: await reader.approvalsOf(id),
          messages: await readMessages(reader, id),
          todos: await reader.todos({ manager: id }),
          runTitle: view.root.title,
          stateDirectory: project.stateDirectory,
          nowMs: project.nowMs(),
        });
  if (detail === undefined) throw notFound(`delegation ${id}`);
  return detail;
}

/** What it said and was told, in the order it was said. */
async function readMessages(reader: StoreReader, id: string): Promise<readonly Message[]> {
  const sent = await reader.messages({ from: id, limit: MOST_MESSAGES });
  const received = await reader.messages({ to: id, limit: MOST_MESSAGES });
  return [...sent, ...received].toSorted((one, other) => one.sentAt.localeCompare(other.sentAt));
}
