import { readRegularText } from "../../base/files.ts";
import { patternsOf } from "../prepare/ignored-patterns.ts";
import { ownIgnoresOf, type SlotRecord } from "../records/record.ts";

/** Lists the files put into a checkout for its worker as ignore rules: none of them is the worker's work. */
export function preparedPatterns(stateDirectory: string, record: SlotRecord): readonly string[] {
  const brought = [...record.dependencies, ...record.included].map(({ path }) => path);
  const left = readRegularText(ownIgnoresOf(stateDirectory, record.name)) ?? "";
  return [...patternsOf(brought), ...left.split("\n").filter((line) => line !== "")];
}
