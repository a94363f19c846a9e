import { describe, expect, it } from "vitest";
import { showTool } from "../../src/mcp/tools/show-tool.ts";
import { tools } from "../../src/mcp/tools/tool-list.ts";

/** Every request of every agent carries the list. */
const MAX_BYTES = 8373;

describe("the list of tools", () => {
  it("does not grow", () => {
    expect(Buffer.byteLength(JSON.stringify(tools.map(showTool)))).toBeLessThanOrEqual(MAX_BYTES);
  });

  it("requires the same fields as before", () => {
    expect(tools.map(({ name, input }) => [name].concat(input.required ?? []))).toStrictEqual([
      ["delegate", "tasks"],
      ["wait"],
      ["status"],
      ["result", "id"],
      ["submit_return", "status", "summary", "artifacts"],
      ["verify", "id", "verdict", "reason"],
      ["cancel", "id"],
      ["reply", "id", "answer"],
      ["tree"],
      ["diff"],
      ["task_update", "todos"],
      ["tasks"],
      ["send_agent_message", "to", "message"],
      ["list_agents"],
      ["list_pending_messages"],
    ]);
  });
});
