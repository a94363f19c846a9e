import * as z from "zod";
import { outcomes } from "../contract/outcome.ts";
import { trustErrors } from "../errors/trust.ts";
import type { AppContext } from "./project/app-context.ts";
import { findSupervisor, withSupervisor } from "./project/connect-supervisor.ts";
import { findDelegation } from "./project/find-target.ts";
import { findProject, readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({
    id: z.string().describe("An id, its beginning or a path such as 2.1"),
    reason: z.string().optional().describe("Recorded in the journal"),
  });

const output = () =>
  z.looseObject({
    id: z.string().optional().describe("Absent before the first story"),
    stopped: z.boolean(),
    outcome: z.enum(outcomes).nullable().optional(),
  });

const answerSchema = () => z.object({ stopped: z.boolean(), outcome: z.enum(outcomes).nullable() });

/** Ends a story, or one delegation and everything below it. Returns when all of it has ended and its work is kept. */
export const stopUseCase = defineUseCase({
  input,
  output,
  onlyPeople: "never stops a story",
  run: async (context, { id: word, reason = "asked by a person" }) => {
    const found = await readStore(context, (reader) => findDelegation(reader, word));
    if (found === undefined) return { stopped: false };
    const { id, outcome } = found;
    if (outcome !== null) return { id, stopped: false, outcome };
    if (!(await isSupervised(context))) {
      // A supervisor would continue it first, for money perhaps, and all other open stories with it.
      if (found.story === id) return stopHere(context, id, reason);
      const { isTrusted } = await import("./project/require-trust.ts");
      if (!(await isTrusted(context))) throw trustErrors.onlyWholeStory(found.story);
    }
    return withSupervisor(context, async (client) => {
      const answer = await client.call("stop", { id, reason, by: "person" });
      return { id, ...answerSchema().parse(answer) };
    });
  },
});

async function isSupervised(context: AppContext): Promise<boolean> {
  if (context.supervisor !== undefined) return true;
  const running = await findSupervisor(context);
  running?.close();
  return running !== undefined;
}

async function stopHere(context: AppContext, story: string, reason: string) {
  const { stopInProcess } = await import("../supervisor/stop-in-process.ts");
  const { version, environment, program } = context;
  const place = { projectRoot: findProject(context).root, version, environment, program };
  const ended = await stopInProcess({ ...place, workerProgram: [...program, "__worker"] }, story, reason);
  return { id: story, stopped: true, outcome: ended.outcome };
}
