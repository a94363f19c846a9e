import * as z from "zod";
import { storyFlagsSchema } from "./config.ts";
import { storyVariablesSchema } from "./environment-variables.ts";
import { hardCaps } from "./limits.ts";

/** Commands that an agent carries out for a task, and those that take free text (R154). */
export const workflowCommands = ["research", "plan", "implement", "revise", "review", "meta"] as const;
export type WorkflowCommand = (typeof workflowCommands)[number];

const name = z.string().trim().min(1).max(200);

/** One workflow command as a person or a program asks for it. */
export const workflowRequestSchema = z.strictObject({
  command: z.enum(workflowCommands),
  /** The task's number as written; absent for a command without a task. */
  task: z.string().trim().min(1).max(100).optional(),
  /** Instructions from the person; for a command without a task, the whole request. */
  words: z.string().max(8000).default(""),
  agent: name.optional(),
  language: name.optional(),
  timeoutSeconds: z.int().min(1).max(hardCaps.timeoutSeconds).optional(),
  budgetMicroUsd: z.int().min(0).optional(),
  /** The person trusts what the project names, or it names nothing. */
  isProjectTrusted: z.boolean().optional(),
  /** Variables that its workers and checks get in addition to those of the project's settings. */
  env: storyVariablesSchema.optional(),
  /** Limits from the command line, which are stronger than the environment. */
  flags: storyFlagsSchema.optional(),
  /** Start over instead of continuing from what an earlier run left. */
  fresh: z.boolean().default(false),
});

export type WorkflowRequest = z.infer<typeof workflowRequestSchema>;
/** The same before defaults are filled in. */
export type WorkflowInput = z.input<typeof workflowRequestSchema>;
