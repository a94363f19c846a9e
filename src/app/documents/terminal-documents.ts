import * as z from "zod";
import { outcomes } from "../../contract/outcome.ts";

const loose = z.looseObject;
const text = z.string();

/** Documents that the command line writes itself: about itself, or because a person declined. */
export const terminalDocuments: Readonly<Record<string, z.ZodType>> = {
  merge: loose({ story: text, merged: z.literal(false), status: z.literal("declined") }),
  demo: loose({
    ok: z.boolean(),
    story: z.string().min(1),
    outcome: z.enum(outcomes).nullable().describe("Null while it has not ended"),
    promises: z.array(loose({ promise: text, evidence: text })),
    trial: z.string().nullable().optional().describe("The failure that --fail showed, and what stopped it"),
    simulated: z.boolean(),
  }),
  completion: loose({ shell: z.enum(["bash", "zsh", "fish", "pwsh"]), script: text }),
  help: loose({ help: text, topic: z.string().min(1).optional() }),
  version: loose({ version: text }),
};
