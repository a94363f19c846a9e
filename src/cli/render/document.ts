import { formatSafeJson } from "../../base/safe-json.ts";

const SCHEMA = "ambit/v1";

/** One document on one line; `schema` comes first and no command can replace it. */
export function renderDocument(fields: Readonly<Record<string, unknown>>): string {
  return formatSafeJson(Object.assign({ schema: SCHEMA }, fields, { schema: SCHEMA }));
}
