import { describe, expect, it } from "vitest";
import { showTool } from "../../src/mcp/tools/show-tool.ts";
import { chooseTools, findTool, tools } from "../../src/mcp/tools/tool-list.ts";

/** Every request of every agent carries the list; `npm run test:token-cost` measures it in real requests. */
const MAX_BYTES = { manager: 4500, worker: 1700 };

describe("the list of tools", () => {
  it("stays within its limits in bytes", () => {
    const count = (canDelegate: boolean): number =>
      Buffer.byteLength(JSON.stringify(chooseTools(canDelegate).map(showTool)));
    expect(count(true)).toBeLessThanOrEqual(MAX_BYTES.manager);
    expect(count(false)).toBeLessThanOrEqual(MAX_BYTES.worker);
  });

  it("requires exactly the pinned fields of each tool", () => {
    expect(tools.map(({ name, shown }) => [name].concat(shown.required ?? []))).toStrictEqual([
      ["delegate", "tasks"],
      ["wait"],
      ["look", "what"],
      ["verify", "id", "verdict", "reason"],
      ["cancel", "id"],
      ["reply", "id", "answer"],
      ["task_update", "todos"],
      ["submit_return", "status", "summary", "artifacts"],
      ["send_agent_message", "to", "message"],
      ["list_pending_messages"],
      ["status"],
    ]);
  });

  it("accepts a field that it does not show, and the names of tools that look replaces", () => {
    const [delegate] = tools;
    expect(JSON.stringify(delegate?.shown)).not.toContain("preferred_provider");
    expect(JSON.stringify(delegate?.input)).toContain("preferred_provider");
    for (const name of ["tree", "result", "tasks", "diff", "list_agents"])
      expect(findTool(name)?.name).toBe(name);
    expect(findTool("nothing")).toBeUndefined();
  });
});
