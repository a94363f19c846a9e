import { readFileSync } from "node:fs";
import { type TodoDocument, parseTodo } from "../markdown/parse-todo.ts";
import { type Agreed, type AgreedTasks, parseAgreed } from "../files/agreed.ts";
import { hashFileText } from "../files/pending-state.ts";
import type { TaskPlace } from "../files/place.ts";
import { taskErrors } from "../../errors/tasks.ts";
import { readTaskFile, refuseConflictMarkers } from "../files/read-file.ts";
import { parseArchive, parseState, type StateFile } from "../files/state-file.ts";

/** The files a plan starts from, read once under the lock. */
export interface Sources {
  readonly place: TaskPlace;
  readonly texts: SourceTexts;
  readonly state: StateFile;
  readonly archive: StateFile;
  readonly todo: TodoDocument | undefined;
  readonly agreed: Agreed | undefined;
  /** The base of the comparison: the last agreed record, or the one from when this state.json was seen before. */
  readonly base: AgreedTasks | undefined;
  /** Whether TODO.md agreed with this state.json before: then every difference is a hand edit of TODO.md. */
  readonly isStateAgreed: boolean;
}

export interface SourceTexts {
  readonly state: string | undefined;
  readonly todo: string | undefined;
  readonly archive: string | undefined;
  readonly agreed: string | undefined;
}

export function readSources(place: TaskPlace): Sources {
  const texts = readSourceTexts(place);
  const agreed = parseAgreed(texts.agreed);
  const hash = hashFileText(texts.state);
  return {
    place,
    texts,
    state: parseState(texts.state, place.paths.state),
    archive: parseArchive(texts.archive, place.paths.archive),
    todo: texts.todo === undefined ? undefined : parseTodo(texts.todo, place.paths.todo),
    agreed,
    base: agreed?.bases.get(hash) ?? agreed?.tasks,
    isStateAgreed: agreed !== undefined && agreed.hashes.includes(hash),
  };
}

function readSourceTexts({ projectRoot, paths, snapshot }: TaskPlace): SourceTexts {
  const read = (path: string): string | undefined => {
    const text = readTaskFile(projectRoot, path);
    if (text?.includes("\u{fffd}") === true) refuseOtherEncodings(projectRoot, path, text);
    return text;
  };
  const todo = read(paths.todo);
  if (todo !== undefined) refuseConflictMarkers(todo, paths.todo);
  return { state: read(paths.state), todo, archive: read(paths.archive), agreed: readTaskFile("", snapshot) };
}

/** Text that was decoded with losses must not be written back. */
function refuseOtherEncodings(root: string, path: string, text: string): void {
  const bytes = readFileSync(`${root}/${path}`);
  if (!bytes.equals(Buffer.from(text, "utf8")))
    throw taskErrors.fileBroken(path, "it is not encoded as UTF-8");
}
