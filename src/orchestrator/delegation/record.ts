import type { AttemptName, Delegation, RecordableEvent } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

type Recorder = Pick<RunTools, "store">;
/** With `speaker`, an event without an attempt of its own is refused when the attempt that says it is over. */
export type EventAbout = Pick<Delegation, "id" | "story" | "attempt"> & {
  readonly speaker?: AttemptName | undefined;
};
type BodyOf<Event> = Event extends RecordableEvent ? Pick<Event, "type" | "data"> : never;

/** Appends an event of this delegation's attempt to the journal. The store refuses it when the attempt is over. */
export async function recordEvent(
  { store }: Recorder,
  { id, story, attempt, speaker }: EventAbout,
  event: BodyOf<RecordableEvent>,
): Promise<void> {
  await store.record({ ...event, story, delegation: id, attempt }, speaker);
}

const MAX_NOTE_LENGTH = 2000;

export async function addNote(tools: Recorder, about: EventAbout, text: string): Promise<void> {
  const data = { text: text.slice(0, MAX_NOTE_LENGTH) };
  await recordEvent(tools, about, { type: "note-added", data });
}
