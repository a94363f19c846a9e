import * as z from "zod";
import { readFieldAt } from "../../base/json.ts";

/** The only supported version; an agent that answers with another is refused. */
export const PROTOCOL_VERSION = 1;

/** Agents omit optional fields, set them to null or get their type wrong: then the field is absent. */
const text = z.string().nullish().catch(undefined);
const anything = z.unknown().optional();

export const initializeResultSchema = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: z.looseObject({ name: text, version: text }).nullish().catch(undefined),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().nullish().catch(undefined),
      sessionCapabilities: z
        .looseObject({ resume: anything, additionalDirectories: anything })
        .nullish()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
  authMethods: z
    .array(z.looseObject({ id: z.string(), _meta: anything }))
    .nullish()
    .catch(undefined),
});
export type InitializeResult = z.infer<typeof initializeResultSchema>;

const modelsSchema = z
  .looseObject({
    currentModelId: text,
    availableModels: z
      .array(z.looseObject({ modelId: z.string(), name: text }))
      .nullish()
      .catch(undefined),
  })
  .nullish()
  .catch(undefined);

const configOptionsSchema = z
  .array(
    z.looseObject({
      id: z.string(),
      category: text,
      currentValue: anything,
      options: z
        .array(z.looseObject({ value: z.string(), name: text }))
        .nullish()
        .catch(undefined),
    }),
  )
  .nullish()
  .catch(undefined);

/** The answer to `session/new`, `session/load` and `session/resume`; the last two may be empty. */
export const sessionResultSchema = z
  .looseObject({ sessionId: text, models: modelsSchema, configOptions: configOptionsSchema })
  .nullish()
  .transform((value) => value ?? {});
export type SessionResult = z.infer<typeof sessionResultSchema>;

export const promptResultSchema = z.looseObject({
  stopReason: z.string().max(200),
  usage: anything,
  _meta: anything,
});

export const toolCallSchema = z.looseObject({
  toolCallId: z.string(),
  name: text,
  title: text,
  kind: text,
  status: text,
  locations: z
    .array(z.looseObject({ path: text }))
    .nullish()
    .catch(undefined),
  content: z
    .array(z.looseObject({ path: text }))
    .nullish()
    .catch(undefined),
  rawInput: anything,
  rawOutput: anything,
  _meta: anything,
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const permissionSchema = z.looseObject({
  toolCall: toolCallSchema,
  options: z.array(z.looseObject({ optionId: z.string(), kind: text })).catch([]),
});
export type PermissionRequest = z.infer<typeof permissionSchema>;

export const updateSchema = z.looseObject({
  sessionId: text,
  update: z.looseObject({ sessionUpdate: z.string(), _meta: anything }),
});
export type SessionUpdate = z.infer<typeof updateSchema>["update"];

export const chunkSchema = z.looseObject({
  messageId: text,
  content: z.looseObject({ text }).nullish().catch(undefined),
});

export const usageUpdateSchema = z.looseObject({
  cost: z.looseObject({ amount: z.number(), currency: z.string() }).nullish().catch(undefined),
});

export function readTextAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = readFieldAt(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
}
