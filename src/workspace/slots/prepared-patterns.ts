import { readRegularText } from "../../base/files.ts";
import { buildIgnorePatterns } from "../prepare/ignored-patterns.ts";
import { ownIgnoresPath, type SlotRecord } from "../records/record.ts";

/** Lists the files put into a checkout for its worker as ignore rules: none of them is the worker's work. */
export function preparedPatterns(stateDirectory: string, record: SlotRecord): readonly string[] {
  const brought = [...record.dependencies, ...record.included].map(({ path }) => path);
  const left = readRegularText(ownIgnoresPath(stateDirectory, record.name)) ?? "";
  return [...buildIgnorePatterns(brought), ...left.split("\n").filter((line) => line !== "")];
}
