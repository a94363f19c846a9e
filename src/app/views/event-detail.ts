import { countThings } from "../../base/count-things.ts";
import { groupDigits } from "../../base/group-digits.ts";
import { isRecord } from "../../base/json.ts";
import { formatSpent } from "../../base/money.ts";
import type { AuditEntry } from "../../reports/audit.ts";

type Data = Readonly<Record<string, unknown>>;

/** Describes an event in a few words: those of the report if it has some, otherwise by the subject of its type. */
export function describeEvent({ type, detail, document }: AuditEntry): string {
  const data = isRecord(document["data"]) ? document["data"] : {};
  return details.get(type)?.(data) ?? detail;
}

const details: ReadonlyMap<string, (data: Data) => string> = new Map([
  ["usage-reported", describeUsage],
  ["approval-requested", (data: Data) => `${readText(data["kind"])}: ${readText(data["question"])}`],
  ["criterion-checked", (data: Data) => joinParts([data["verdict"], data["text"]])],
  ["message-sent", describeMessage],
  ["message-marked", (data: Data) => joinParts([data["messageId"], data["state"]])],
  ["work-kept", (data: Data) => countItems(data["filesChanged"], "file")],
  ["delegation-parked", (data: Data) => `waits for ${countItems(data["waitingFor"], "other")}`],
  [
    "delegation-verified",
    (data: Data) => `${readAmount(data["passed"])} passed, ${readAmount(data["failed"])} failed`,
  ],
]);

function describeUsage(data: Data): string {
  const input = readAmount(data["inputTokens"]) + readAmount(data["cachedTokens"]);
  const output = readAmount(data["outputTokens"]);
  const money = formatSpent(readAmount(data["microUsd"]), input + output);
  const source = readText(data["source"]);
  const model = readText(data["model"]);
  const used = `${groupDigits(input)} in, ${groupDigits(output)} out, ${money}${source === "reported" ? "" : ` (${source})`}`;
  return model === "" ? used : `${model}: ${used}`;
}

function describeMessage(data: Data): string {
  const body = isRecord(data["body"]) ? data["body"] : {};
  return `${readText(body["type"])} to ${readText(data["to"])}`;
}

function countItems(list: unknown, what: string): string {
  return countThings(Array.isArray(list) ? list.length : 0, what);
}

function joinParts(parts: readonly unknown[]): string {
  return parts.map(readText).filter(Boolean).join(": ");
}

function readAmount(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
