import * as z from "zod";
import { configSchema, storyDelegationConfigSchema } from "./config.ts";

/** The type of a key's value. */
export type ConfigKeyType = "boolean" | "integer" | "number" | "text" | "list" | "choice" | "map";

/** One setting, named by its dotted path. */
export interface ConfigKey {
  readonly key: string;
  readonly description: string;
  /** `undefined` where the key is only another spelling of a setting. */
  readonly default: unknown;
  readonly type: ConfigKeyType;
  /** The values of a `choice`. */
  readonly choices: readonly string[];
  /** `null` is a value of its own: no limit, or nothing configured. */
  readonly nullable: boolean;
  /** The maximum that no source may exceed. */
  readonly hardCap: number | undefined;
  readonly schema: z.ZodType;
}

const fileKeys = keysBelow("", configSchema);

/** Every setting of `ambit.yaml`, in the order of the schema. */
export const configKeys: readonly ConfigKey[] = fileKeys.filter((key) => key.schema instanceof z.ZodDefault);

/** The rules per depth: a file may use them instead of the settings they stand for. */
export const accessControlKeys: readonly ConfigKey[] = fileKeys.filter((key) => !configKeys.includes(key));

/** The keys of a story's `delegationConfig`. */
export const storyConfigKeys: readonly ConfigKey[] = keysBelow("", storyDelegationConfigSchema);

const settingsByKey: ReadonlyMap<string, ConfigKey> = new Map(configKeys.map((entry) => [entry.key, entry]));

export function findConfigKey(key: string): ConfigKey | undefined {
  return settingsByKey.get(key);
}

function keysBelow(prefix: string, schema: z.ZodObject): readonly ConfigKey[] {
  const fields: [string, unknown][] = Object.entries(schema.shape);
  return fields.flatMap(([name, field]) => {
    if (!(field instanceof z.ZodType)) return [];
    const inner = unwrapSchema(field);
    return inner instanceof z.ZodObject
      ? keysBelow(`${prefix}${name}.`, inner)
      : [describeKey(`${prefix}${name}`, field)];
  });
}

function describeKey(key: string, schema: z.ZodType): ConfigKey {
  const inner = unwrapSchema(schema);
  const nullable = inner instanceof z.ZodNullable;
  return {
    key,
    description: schema.description ?? "",
    default: schema instanceof z.ZodDefault ? schema.parse(undefined) : undefined,
    nullable,
    schema,
    ...describeType(nullable ? inner.unwrap() : inner),
  };
}

function unwrapSchema(schema: z.ZodType): unknown {
  const wrapped =
    schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return wrapped ? schema.unwrap() : schema;
}

function describeType(schema: unknown): Pick<ConfigKey, "type" | "choices" | "hardCap"> {
  const plain = { choices: [], hardCap: undefined };
  if (schema instanceof z.ZodBoolean) return { ...plain, type: "boolean" };
  if (schema instanceof z.ZodArray) return { ...plain, type: "list" };
  if (schema instanceof z.ZodRecord) return { ...plain, type: "map" };
  if (schema instanceof z.ZodEnum) return { ...plain, type: "choice", choices: schema.options.map(String) };
  if (schema instanceof z.ZodLiteral) return { ...plain, type: "integer" };
  if (!(schema instanceof z.ZodNumber)) return { ...plain, type: "text" };
  const most = schema.maxValue ?? Infinity;
  const hardCap = most < Number.MAX_SAFE_INTEGER ? most : undefined;
  return { ...plain, type: schema.isInt ? "integer" : "number", hardCap };
}
