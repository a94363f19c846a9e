import type { StoryFormProps } from "./story-form-props.ts";
import { TreeCells } from "./tree-cells.tsx";
import { TreeGrid } from "./tree-grid.tsx";

const columns = [
  { name: "Delegation", sort: "number" },
  { name: "State", sort: "state" },
  { name: "Agent" },
  { name: "Time", sort: "time" },
  { name: "Cost", sort: "cost" },
  { name: "Criteria" },
  { name: "Files" },
  { name: "Latest" },
] as const;

/** The story as a table of its tree. */
export function TreeTable(props: StoryFormProps) {
  return <TreeGrid {...props} columns={columns} rowClass="tree-row" Cells={TreeCells} />;
}
