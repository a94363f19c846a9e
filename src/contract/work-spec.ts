import * as z from "zod";
import { MAX_WAYS } from "./limits.ts";
import { reviewFactsSchema } from "./review.ts";
import { criterionSchema } from "./task.ts";
import { workflowFactsSchema } from "./workflow-facts.ts";

const MAX_LIST = 100;
const name = z.string().min(1).max(200);

/**
 * How work is done and how it is proven. It is fixed before a worker starts and kept in the journal, so that the work
 * can continue after any crash. Nothing in it ever comes from the worker that does the work.
 */
export const workSpecSchema = z.strictObject({
  adapter: name.describe("How the agent is driven"),
  command: z
    .array(z.string())
    .max(1000)
    .default([])
    .describe("Program and arguments, for adapters that take any"),
  model: name.optional(),
  tools: z.array(name).max(200).optional().describe("Tools of its program it may use; all where absent"),
  isolation: z.enum(["worktree", "sandbox"]).optional(),
  network: z.boolean().optional(),
  readable: z.array(z.string()).max(MAX_LIST).optional(),
  env: z
    .array(name)
    .max(MAX_LIST * 2)
    .optional()
    .describe("Names of variables given with the story; never their values"),
  base: z.string().max(64).optional().describe("A commit to start from instead of the user's present state"),
  holdsSandboxedWork: z.boolean().optional().describe("The base holds work of sandboxed workers"),
  isProjectTrusted: z.boolean().optional().describe("The agent may obey the project's own settings"),
  context: z.string().max(100_000).default("").describe("Background and constraints for the worker"),
  template: name.optional().describe("The way the story's work is divided"),
  ways: z
    .array(name)
    .min(2)
    .max(MAX_WAYS)
    .optional()
    .describe("The ways among which the story was assigned at random; none is without a template"),
  task: name.optional().describe("The task of the project's list that the story does"),
  criteria: z.array(criterionSchema).max(MAX_LIST).default([]),
  allowRedBase: z.boolean().optional().describe("Tests that failed before the work may still fail"),
  allowUnmetered: z.boolean().optional().describe("Its budget need not be held for every agent"),
  proveRed: z.boolean().optional().describe("Checks must have failed before the work"),
  dependsOn: z.array(name).max(MAX_LIST).default([]).describe("Ids of delegations it waits for"),
  workflow: workflowFactsSchema.optional().describe("The workflow command a story is the root of"),
  review: reviewFactsSchema.optional().describe("It judges the work of another delegation"),
  needsApproval: z.boolean().optional().describe("A person is asked before it starts"),
});

/** The agent that takes another one's place, as its definition says. */
export const handedToSchema = z.strictObject({
  agent: name,
  ...workSpecSchema.pick({ adapter: true, command: true, model: true, tools: true }).shape,
});

export type HandedTo = z.infer<typeof handedToSchema>;
export type WorkSpec = z.infer<typeof workSpecSchema>;
