import * as z from "zod";
import { hardCaps } from "./limits.ts";

/** Commands that an agent carries out for a task, and the ones that take any words (R154). */
export const workflowCommands = ["research", "plan", "implement", "revise", "review", "meta"] as const;
export type WorkflowCommand = (typeof workflowCommands)[number];

const name = z.string().trim().min(1).max(200);

/** One workflow command as a person or a program asks for it. */
export const workflowRequestSchema = z.strictObject({
  command: z.enum(workflowCommands),
  /** The task's number as it was written; absent for a command about no task. */
  task: z.string().trim().min(1).max(100).optional(),
  /** What the person adds in words; for a command about no task, all there is. */
  words: z.string().max(8000).default(""),
  agent: name.optional(),
  language: name.optional(),
  timeoutSeconds: z.int().min(1).max(hardCaps.timeoutSeconds).optional(),
  budgetMicroUsd: z.int().min(0).optional(),
  /** Begin anew instead of going on from what an earlier run left. */
  fresh: z.boolean().default(false),
});

export type WorkflowRequest = z.infer<typeof workflowRequestSchema>;
/** The same before defaults are filled in. */
export type WorkflowInput = z.input<typeof workflowRequestSchema>;
