import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { buildKnownAgentsTable } from "./known-agents-table.ts";

const GUIDE = "docs/guides/acp.md";

it("the guide's table of agents matches the code", () => {
  const table = buildKnownAgentsTable();
  const isThere = readFileSync(GUIDE, "utf8").includes(`\n${table}\n`);
  expect(isThere, `${GUIDE} needs this table:\n\n${table}\n`).toBe(true);
});
