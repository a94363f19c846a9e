import type * as z from "zod";
import { checkOutputs } from "./outputs/checks.ts";
import { seeOutputs } from "./outputs/see.ts";
import { setupOutputs } from "./outputs/setup.ts";
import { taskOutputs } from "./outputs/tasks.ts";
import { workOutputs } from "./outputs/work.ts";

/** What `--json` prints, for commands whose use case does not say it yet. */
export const outputSchemas: Readonly<Record<string, z.ZodType>> = {
  ...workOutputs,
  ...seeOutputs,
  ...checkOutputs,
  ...taskOutputs,
  ...setupOutputs,
};
