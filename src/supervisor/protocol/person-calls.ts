import * as z from "zod";
import { approvalAnswers, surfaces } from "../../contract/approval.ts";
import { storyVariablesSchema } from "../../contract/environment-variables.ts";
import { storyIdSchema } from "../../contract/identity.ts";
import { outcomes } from "../../contract/outcome.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { WorkflowInput } from "../../contract/workflow-request.ts";

const by = z.string().max(200);
const reason = z.string().max(4000);
const openedStory = z.object({ story: z.string() });
/** The warnings are for its person, although the story starts. */
const startedStory = openedStory.extend({ warnings: z.array(z.string()).readonly() });

/** The pipeline's first stage checks the values of stories and workflow commands, and words the errors. */
type UncheckedStory = Readonly<Partial<Record<keyof StoryRequest, unknown>>>;
type UncheckedWorkflow = Readonly<Partial<Record<keyof WorkflowInput, unknown>>>;

const schemas = {
  hello: {
    input: z.looseObject({
      protocol: z.int(),
      version: z.string(),
      /** How the person asks. It is only noted, never trusted. */
      surface: z.enum(surfaces).optional().catch(undefined),
      terminal: z.boolean().optional().catch(undefined),
      /** The variables of its shell, for the stories that it opens. */
      environment: z.record(z.string(), z.string()).optional().catch(undefined),
      /** The checkout that it runs in; its stories start from there. */
      checkout: z.string().optional().catch(undefined),
    }),
    output: z.looseObject({ protocol: z.int(), version: z.string(), pid: z.int() }),
  },
  /** Whether the calling process belongs to a run; null if this machine cannot tell. */
  caller: { input: z.looseObject({}), output: z.object({ inside_run: z.boolean().nullable() }) },
  run: { input: z.custom<UncheckedStory>(), output: startedStory },
  workflow: {
    input: z.custom<UncheckedWorkflow>(),
    output: z.object({
      story: z.string(),
      command: z.string(),
      task: z.string().nullable(),
      agent: z.string(),
      reason: z.string(),
      language: z.string(),
      timeoutSeconds: z.number(),
      plan: z.string().nullable(),
      /** The first four stages in words. */
      lines: z.array(z.string()).readonly(),
      warnings: z.array(z.string()).readonly(),
    }),
  },
  /** Opens a story for a manager that runs outside, or lets it manage one again. */
  outside: {
    input: z.strictObject({
      /** The manager's program, as it calls itself. */
      client: z.string().max(200),
      title: z.string().min(1).max(2000).optional(),
      /** A story it managed before; a new one when absent. */
      story: storyIdSchema.optional(),
      isProjectTrusted: z.boolean().optional(),
    }),
    output: z.object({ story: z.string(), token: z.string(), socket: z.string() }),
  },
  attach: { input: z.strictObject({ story: z.string() }), output: openedStory },
  stop: {
    input: z.strictObject({ id: z.string(), reason, by }),
    output: z.object({ stopped: z.boolean(), outcome: z.enum(outcomes).nullable() }),
  },
  answer: {
    input: z.strictObject({ approval: z.string(), answer: z.enum(approvalAnswers), reason, by }),
    output: z.object({ approval: z.string() }),
  },
  message: {
    input: z.strictObject({
      to: z.string().min(1).max(400),
      text: z.string().trim().min(1).max(4000),
      by: by.optional(),
    }),
    output: z.object({ message_id: z.string(), to: z.string(), advice: z.string() }),
  },
  note: {
    input: z.strictObject({ id: z.string(), text: z.string().trim().min(1).max(4000) }),
    output: z.object({ id: z.string() }),
  },
  "follow-up": {
    input: z.strictObject({
      id: z.string(),
      /** `work` continues from the kept work, `base` starts over. */
      from: z.enum(["work", "base"]),
      note: reason.default(""),
      agent: z.string().optional(),
      budgetMicroUsd: z.int().min(0).optional(),
      timeoutSeconds: z.int().min(1).optional(),
      isProjectTrusted: z.boolean().optional(),
      env: storyVariablesSchema.optional(),
    }),
    output: startedStory,
  },
  explain: {
    input: z.strictObject({ id: z.string() }),
    output: z.object({ waits: z.string().nullable() }),
  },
  status: {
    input: z.looseObject({}),
    output: z.object({
      pid: z.int(),
      version: z.string(),
      running: z.array(z.string()).readonly(),
      /** The stories of them in which something happens without a person. */
      busy: z.array(z.string()).readonly(),
    }),
  },
  shutdown: { input: z.looseObject({}), output: z.null() },
} as const;

export type PersonCalls = ReadTypes<typeof schemas>;
export type PersonCallName = keyof PersonCalls;

/** Everything a person's command can ask the supervisor for: what it sends, and what it gets back. */
export const personCalls: CallTable<PersonCalls> = schemas;

/** These change nothing. All others are refused to processes inside a run. */
export const readingCalls: ReadonlySet<PersonCallName> = new Set([
  "hello",
  "caller",
  "attach",
  "explain",
  "status",
]);

export function isPersonCall(name: string): name is PersonCallName {
  return Object.hasOwn(schemas, name);
}

/** The types of one call: what the client sends, what the handler reads after defaults are applied, the answer. */
interface CallTypes {
  readonly sent: unknown;
  readonly read: unknown;
  readonly answer: unknown;
}

interface CallSchemas {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** The types of a table of schemas, by the name of the call. */
type ReadTypes<Schemas extends Readonly<Record<string, CallSchemas>>> = {
  readonly [Name in keyof Schemas]: {
    readonly sent: z.input<Schemas[Name]["input"]>;
    readonly read: z.output<Schemas[Name]["input"]>;
    readonly answer: z.output<Schemas[Name]["output"]>;
  };
};

/** The same schemas, indexed so that the compiler can follow one name from input to answer. */
type CallTable<Types extends Readonly<Record<keyof Types, CallTypes>>> = {
  readonly [Name in keyof Types]: {
    readonly input: z.ZodType<Types[Name]["read"], Types[Name]["sent"]>;
    readonly output: z.ZodType<Types[Name]["answer"]>;
  };
};
