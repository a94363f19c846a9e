import * as z from "zod";
import { criterionSchema } from "./task.ts";

/** The most phases that one command carries out; the next one continues behind them. */
export const MAX_PHASES = 50;

const text = z.string().max(20_000);
const path = z.string().min(1).max(1000);

const phaseName = { number: z.int().min(0), title: z.string().max(1000) };

const planSchema = z.strictObject({
  path,
  /** The number of phases; 0 where none could be read. */
  phases: z.int().min(0),
  /** The first unfinished phase; null when all are done, or there are none. */
  next: z.int().min(0).nullable(),
  /** The phases that were done before this command began. Absent in journals of earlier versions. */
  done: z.array(z.strictObject(phaseName)).max(1000).optional(),
  /** The phases that this command carries out, one worker each. Absent: one worker does everything. */
  todo: z
    .array(z.strictObject({ ...phaseName, criteria: z.array(criterionSchema).max(100) }))
    .max(MAX_PHASES)
    .optional(),
});

/**
 * The facts of a workflow command. They are fixed before anything starts and kept with its story, so that it can
 * continue and settle after any crash.
 */
export const workflowFactsSchema = z.strictObject({
  command: z.string().min(1).max(100),
  /** Null for a command without a task. */
  task: z.string().max(100).nullable(),
  agent: z.string().min(1).max(200),
  /** Why this agent. */
  reason: text,
  language: z.string().max(200),
  timeoutSeconds: z.int().min(1),
  /** The folder of the task's documents; changes below it are the command's written result. */
  folder: path,
  /** The document it should write; null where it changes the project itself. */
  document: path.nullable(),
  plan: planSchema.nullable(),
  /** Files that only the runtime writes. */
  ownFiles: z.array(path).max(20),
  /** The delegation whose saved work this continues. */
  continues: z.string().max(400).nullable(),
  /** The request to the agent, in addition to its own instructions. */
  description: text,
  context: text,
  /** A text for its first worker only: the work that it continues from. */
  handover: text.optional(),
  criteria: z.array(criterionSchema).max(100),
});

export type WorkflowFacts = z.infer<typeof workflowFactsSchema>;
