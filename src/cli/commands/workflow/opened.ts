import * as z from "zod";

/** What the supervisor answers when it has taken a workflow command. */
export const openedSchema = z.object({
  story: z.string(),
  command: z.string(),
  task: z.string().nullable(),
  agent: z.string(),
  reason: z.string(),
  language: z.string(),
  timeoutSeconds: z.number(),
  plan: z.string().nullable(),
  lines: z.array(z.string()),
  warnings: z.array(z.string()),
});

export type Opened = z.infer<typeof openedSchema>;
