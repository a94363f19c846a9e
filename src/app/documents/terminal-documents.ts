import * as z from "zod";
import { outcomes } from "../../contract/outcome.ts";

const loose = z.looseObject;
const text = z.string();
const optionalText = z.string().nullable();
const usd = z.number().min(0).describe("US dollars");
const count = z.int().min(0);

const settingsChange = loose({ client: text, file: text, written: z.boolean(), diff: text });

const offeredTemplate = loose({
  name: text,
  target: text,
  action: z.enum(["add", "replace", "same", "refuse"]),
  problem: optionalText,
  hides_built_in: z.boolean(),
  text,
});

const templateFigures = loose({
  template: optionalText,
  divided: z.boolean(),
  stories: count,
  ended: count,
  completed: count,
  success_rate: z.number().nullable(),
  avg_workers: z.number(),
  avg_cost_usd: usd.nullable(),
  median_duration_ms: z.number().nullable(),
  time_saved: z.number().nullable(),
  conflicts: count,
  enough_stories: z.boolean(),
});

const listedTemplate = loose({
  name: text,
  source: z.enum(["project", "built-in"]),
  file: optionalText,
  usable: z.boolean(),
  problem: optionalText,
  parts: count,
  handout: z.enum(["manager", "runtime"]).nullable(),
});

/** Documents that the command line writes itself: about itself, or because a person declined. */
export const terminalDocuments: Readonly<Record<string, z.ZodType>> = {
  merge: loose({ story: text, merged: z.literal(false), status: z.literal("declined") }),
  "template list": loose({ templates: z.array(listedTemplate) }),
  "template show": loose({
    name: text,
    source: z.enum(["project", "built-in"]),
    file: optionalText,
    handout: z.enum(["manager", "runtime"]),
    directives: z.array(text),
    template: loose({ title: text, summary: text, parts: z.array(z.unknown()), guidance: text }),
  }),
  "template add": loose({
    source: text,
    commit: optionalText,
    written: z.array(text),
    templates: z.array(offeredTemplate),
  }),
  "template compare": loose({ stories: count, ways: z.array(templateFigures) }),
  demo: loose({
    ok: z.boolean(),
    story: z.string().min(1),
    outcome: z.enum(outcomes).nullable().describe("Null while it has not ended"),
    promises: z.array(loose({ promise: text, evidence: text })),
    simulated: z.boolean(),
  }),
  "mcp install": settingsChange,
  "mcp uninstall": settingsChange,
  completion: loose({ shell: z.enum(["bash", "zsh", "fish", "pwsh"]), script: text }),
  help: loose({ help: text, topic: z.string().min(1).optional() }),
  version: loose({ version: text }),
};
