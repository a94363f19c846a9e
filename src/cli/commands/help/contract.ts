import {
  artifactTypes,
  returnStatuses,
  successAliases,
  summaryMaxLength,
} from "../../../contract/agent-return.ts";
import { returnCaps } from "../../../contract/read-return.ts";
import { returnInstruction } from "../../../contract/return-instruction.ts";
import { renderColumns } from "../../render/columns.ts";

/** What a worker must hand back, in the words its prompt uses, and what the validator holds it to. */
export function renderContract(): string {
  const rules = [
    ["status", returnStatuses.join(", ")],
    ["read as completed", successAliases.join(", ")],
    ["summary", `1 to ${summaryMaxLength} characters`],
    ["artifact types", artifactTypes.join(", ")],
    ["size", `${returnCaps.bytes} bytes, ${returnCaps.depth} levels`],
    ["at most", `${returnCaps.artifacts} artifacts, ${returnCaps.errors} errors`],
  ];
  return [returnInstruction(), "", renderColumns(rules), "", "Judge one: ambit check return <file>"].join(
    "\n",
  );
}
