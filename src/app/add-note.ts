import * as z from "zod";
import { workErrors } from "../errors/work.ts";
import { withSupervisor } from "./project/connect-supervisor.ts";
import { findTarget } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const MAX_TEXT = 4000;

/** Writes a person's own line into the journal of a story or delegation (R130). No agent is told. */
export const addNoteUseCase = defineUseCase({
  input: () => z.strictObject({ id: z.string(), text: z.string() }),
  output: () => z.looseObject({ id: z.string(), note: z.string() }),
  onlyPeople: "never writes in a person's name",
  runsProject: true,
  run: async (context, { id: word, text: written }) => {
    const note = written.trim();
    if (note === "") throw workErrors.emptyMessage();
    if (note.length > MAX_TEXT) throw workErrors.textTooLong("the note", note.length, MAX_TEXT);
    const target = await readStore(context, (reader) => findTarget(reader, word));
    if (target === undefined) throw workErrors.noStoryToWriteTo(word);
    const { id } = await withSupervisor(context, (client) =>
      client.call("note", { id: target.id, text: note }),
    );
    return { id, note };
  },
});
