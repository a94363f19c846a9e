import { isRecord } from "../../contract/lenient.ts";
import { formatUsd } from "../../ledger/money.ts";
import type { AuditEntry } from "../../reports/audit.ts";

type Data = Readonly<Record<string, unknown>>;

/** What an event says, in a few words: the report's own where it has some, else by what its type is about. */
export function detailOf({ type, detail, document }: AuditEntry): string {
  const data = isRecord(document["data"]) ? document["data"] : {};
  return details.get(type)?.(data) ?? detail;
}

const details: ReadonlyMap<string, (data: Data) => string> = new Map([
  ["usage-reported", describeUsage],
  ["approval-requested", (data: Data) => `${textOf(data["kind"])}: ${textOf(data["question"])}`],
  ["approval-answered", (data: Data) => joined([data["answer"], data["reason"]])],
  ["criterion-checked", (data: Data) => joined([data["verdict"], data["text"]])],
  ["message-sent", describeMessage],
  ["message-marked", (data: Data) => joined([data["messageId"], data["state"]])],
  ["work-kept", (data: Data) => countOf(data["filesChanged"], "file")],
  ["delegation-parked", (data: Data) => `waits for ${countOf(data["waitingFor"], "other")}`],
  [
    "delegation-verified",
    (data: Data) => `${amountOf(data["passed"])} passed, ${amountOf(data["failed"])} failed`,
  ],
]);

function describeUsage(data: Data): string {
  const input = amountOf(data["inputTokens"]) + amountOf(data["cachedTokens"]);
  const output = amountOf(data["outputTokens"]);
  const money = formatUsd(amountOf(data["microUsd"]));
  const source = textOf(data["source"]);
  const model = textOf(data["model"]);
  const used = `${grouped(input)} in, ${grouped(output)} out, ${money}${source === "reported" ? "" : ` (${source})`}`;
  return model === "" ? used : `${model}: ${used}`;
}

function describeMessage(data: Data): string {
  const body = isRecord(data["body"]) ? data["body"] : {};
  return `${textOf(body["type"])} to ${textOf(data["to"])}`;
}

function countOf(list: unknown, what: string): string {
  const count = Array.isArray(list) ? list.length : 0;
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function joined(parts: readonly unknown[]): string {
  return parts.map(textOf).filter(Boolean).join(": ");
}

function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

function amountOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
