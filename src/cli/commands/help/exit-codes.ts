import { errorCodes } from "../../../contract/error-code.ts";
import { exitCode, exitCodeMeanings } from "../../../contract/exit-code.ts";
import { renderColumns } from "../../render/columns.ts";
import { wrapWords } from "../../render/wrap-words.ts";

export function renderExitCodes(): string {
  const meanings = new Map(Object.entries(exitCodeMeanings));
  const rows = Object.entries(exitCode).map(([name, code]) => [String(code), name, meanings.get(name) ?? ""]);
  const codes = Object.values(exitCode).flatMap((status) => renderCodes(status));
  return ["Exit codes", "", renderColumns(rows), "", "Error codes by exit status", "", ...codes].join("\n");
}

function renderCodes(status: number): string[] {
  const codes = Object.entries(errorCodes).filter(([, code]) => code === status);
  if (codes.length === 0) return [];
  const names = codes.map(([name]) => name);
  return wrapWords(names, { first: String(status).padEnd(5), indent: "     " });
}
