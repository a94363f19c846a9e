import { describe, expect, it } from "vitest";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";
import { tools } from "../../src/mcp/tools/tool-list.ts";
import { spec } from "../agents/conformance.ts";

describe("the agents of several providers", () => {
  it.each(["claude", "gemini", "codex", "opencode"])(
    "%s is started with the same MCP server, which has the task tool (R178)",
    (name) => {
      const adapter = createAdapterFinder(["worker"])(name);
      expect(adapter.capabilities.mcp).toBe(true);
      const built = JSON.stringify(adapter.build({ ...spec, model: "some-model" }));
      expect(built).toContain("/opt/ambit.js");
      expect(built).toContain("some-model");
      expect(tools.map((tool) => tool.name)).toContain("task_update");
    },
  );
});
