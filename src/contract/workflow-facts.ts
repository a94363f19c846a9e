import * as z from "zod";
import { criterionSchema } from "./task.ts";

const text = z.string().max(20_000);
const path = z.string().min(1).max(1000);

const planSchema = z.strictObject({
  path,
  /** Phases in all; 0 where the plan has none that could be read. */
  phases: z.int().min(0),
  /** The first that is not done; null when all are, or there are none. */
  next: z.int().min(1).nullable(),
});

/**
 * What a workflow command is about: fixed before anything starts and kept with its story, so that it can be taken up
 * and settled after any crash.
 */
export const workflowFactsSchema = z.strictObject({
  command: z.string().min(1).max(100),
  /** Null for a command about no task. */
  task: z.string().max(100).nullable(),
  agent: z.string().min(1).max(200),
  /** Why this agent. */
  reason: text,
  language: z.string().max(200),
  timeoutSeconds: z.int().min(1),
  /** Folder of the task's documents; what is changed below it is the command's result on paper. */
  folder: path,
  /** The document it is to write; null where it changes the project itself. */
  document: path.nullable(),
  plan: planSchema.nullable(),
  /** Files that only the runtime writes. */
  ownFiles: z.array(path).max(20),
  /** The delegation whose kept work this goes on from. */
  continues: z.string().max(400).nullable(),
  /** What the agent is asked, beside its own instructions. */
  description: text,
  context: text,
  criteria: z.array(criterionSchema).max(100),
});

export type WorkflowFacts = z.infer<typeof workflowFactsSchema>;
