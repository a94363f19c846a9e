import * as z from "zod";

/** A setting that a story began with, and where its value came from; a setting that is not listed had its default. */
export const storySettingSchema = z.strictObject({
  /** `delegation.maxDepth`; not called a key, because values of fields of that name are redacted. */
  name: z.string().min(1).max(200),
  value: z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]),
  /** `MAX_DELEGATION_DEPTH`, `--depth`, `ambit.yaml:4`, `US-040` */
  origin: z.string().min(1).max(4000),
});

export type StorySetting = Readonly<z.infer<typeof storySettingSchema>>;

/** The value of a setting that a story began with; undefined where it had its default or nothing is known. */
export function findStorySetting(
  settings: readonly StorySetting[] | null | undefined,
  name: string,
): StorySetting | undefined {
  return settings?.find((setting) => setting.name === name);
}
