import * as z from "zod";
import { isRecord, parseJson } from "../../base/json.ts";
import { describeSchemaIssues } from "../../base/schema-issues.ts";
import { delegationRequestSchema, type DelegationRequest } from "../../contract/delegation-request.ts";
import { parseDirectives } from "../../contract/directive.ts";
import { workErrors } from "../../errors/work.ts";

interface PartsFile {
  readonly text: string;
  readonly source: string;
}

const MAX_PARTS = 100;

/** The delegations of a file: a JSON list, bare or under `tasks` or `delegations`, or a text with directives (R131). */
export function readParts({ text, source }: PartsFile): readonly DelegationRequest[] {
  const document = parseJson(text);
  const list = isRecord(document) ? (document["tasks"] ?? document["delegations"]) : document;
  if (list === undefined) return readDirectives({ text, source });
  const parsed = z.array(delegationRequestSchema).min(1).max(MAX_PARTS).safeParse(list);
  if (parsed.success) return parsed.data;
  throw workErrors.unusableParts(source, describeSchemaIssues(parsed.error), parsed.error);
}

function readDirectives({ text, source }: PartsFile): readonly DelegationRequest[] {
  const { delegations, errors } = parseDirectives(text, { parentId: "S-1" });
  const [wrong] = errors;
  if (wrong !== undefined) throw workErrors.unusableParts(source, `${wrong.code}: ${wrong.fragment}`);
  if (delegations.length === 0)
    throw workErrors.unusableParts(source, "it has neither a list nor a directive");
  return delegations.map(({ description, estimated_hours }) => ({ description, estimated_hours }));
}
