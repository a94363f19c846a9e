import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runScriptStep } from "../../src/agents/scripted/run-step.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

it("appends a text once, because an interrupted turn is repeated on top of its own work", async () => {
  const path = join(temporaryFolder({ "index.js": "// exports\n" }), "index.js");
  const context = { returnFile: "", handoverFile: "", environment: {}, metadata: {} };
  const step = { append: { path, text: "export { sum };\n" } };
  for (const _ of ["the attempt that is lost", "the same turn again"]) await runScriptStep(step, context);
  expect(readFileSync(path, "utf8")).toBe("// exports\nexport { sum };\n");
});
