import * as z from "zod";
import { storyDelegationConfigSchema, storyFlagsSchema } from "./config.ts";
import { storyVariablesSchema } from "./environment-variables.ts";
import { storyIdSchema } from "./identity.ts";
import { MAX_WAYS } from "./limits.ts";
import { isRelativeGlob, relativeGlobRule } from "./relative-glob.ts";
import { criterionCheckSchema } from "./task.ts";

const MAX_LIST = 100;
const text = z.string().min(1).max(2000);

/** One story as a person or a program asks for it. */
export const storyRequestSchema = z.strictObject({
  id: storyIdSchema,
  title: text,
  /** The agent; without one the adapter, then the project's default agent. */
  agent: text.optional(),
  adapter: text.optional(),
  command: z.array(z.string()).min(1).max(1000).optional(),
  model: text.optional(),
  /** The only tools of its program the agent may use. */
  tools: z.array(text).max(200).optional(),
  context: z.string().max(20_000).optional(),
  /** The template by which its work is divided; kept, so that templates can be compared. */
  template: text.optional(),
  /** The ways among which it was assigned by chance. */
  ways: z.array(text).min(2).max(MAX_WAYS).optional(),
  /** The task that it does; the task's status follows the story's outcome. */
  task: text.optional(),
  criteria: z
    .array(
      z.union([
        text,
        z.strictObject({
          text,
          check: criterionCheckSchema.optional(),
          required: z.boolean().optional(),
          /** Set where a worker of an earlier story wrote it. */
          origin: z.literal("worker").optional(),
        }),
      ]),
    )
    .max(MAX_LIST)
    .optional(),
  /** Tests that fail on the tree it starts from may still fail in the end; no other may. */
  allowRedBase: z.boolean().optional(),
  /** A check that passes on the tree it starts from does not prove the work. */
  proveRed: z.boolean().optional(),
  fileScope: z.array(text.refine(isRelativeGlob, relativeGlobRule)).max(MAX_LIST).optional(),
  delegationConfig: storyDelegationConfigSchema.optional(),
  /** The same from the command line, which is stronger than the environment. */
  flags: storyFlagsSchema.optional(),
  timeoutSeconds: z.int().min(1).max(14_400).optional(),
  budgetMicroUsd: z.int().min(0).optional(),
  budgetTokens: z.int().min(0).optional(),
  /** Its agents may work although its budget cannot be held for them. */
  allowUnmetered: z.boolean().optional(),
  /** The isolation of its workspace, where it is stricter than the project's setting. */
  isolation: z.enum(["worktree", "sandbox"]).optional(),
  /** A sandbox has network access only on request. */
  network: z.boolean().optional(),
  /** Files and folders outside the project that the program may read inside a sandbox. */
  readable: z.array(z.string()).max(MAX_LIST).optional(),
  /** The person trusts what the project names, or it names nothing. Without it, agents do not read the project's settings. */
  isProjectTrusted: z.boolean().optional(),
  /** Variables that its workers and checks get in addition to those of the project's settings. Values are never recorded. */
  env: storyVariablesSchema.optional(),
  /** A commit to start from instead of the person's current state. */
  base: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional(),
  /** That commit holds work of sandboxed workers, so its checks run in a sandbox. */
  holdsSandboxedWork: z.boolean().optional(),
});

export type StoryRequest = z.infer<typeof storyRequestSchema>;
