import { dirname } from "node:path";
import { expect } from "vitest";
import { diffUseCase } from "../../src/app/diff.ts";
import type { Diff } from "../../src/app/view-types.ts";
import { makeContext } from "./make-context.ts";
import { serveProject } from "../dashboard/served-project.ts";
import { holdManager } from "../mcp/held-worker.ts";
import { rawClient, type RawClient } from "../mcp/raw-client.ts";
import { it, type TestRuntime } from "../orchestrator/open-runtime.ts";
import { done, write } from "../orchestrator/steps.ts";

/** What every surface must agree on. */
interface Answer {
  readonly from: unknown;
  readonly to: unknown;
  readonly paths: readonly string[];
}

it("the command line, MCP, the dashboard and the library show the same diff of a worker and of its story", async ({
  open,
}) => {
  const runtime = await open();
  runtime.agent("first", [write("first.txt", "1"), done()]);
  runtime.agent("second", [write("second.txt", "2"), done()]);
  const held = await holdManager(runtime, "D1", { after: [write("own.txt", "o"), done()] });
  const client = rawClient(held.environment);
  await client.initialize("2025-11-25");
  // The second worker starts from the first one's work, so its base is not the commit that the story started from.
  for (const agent of ["first", "second"])
    expect(await client.call("delegate", { tasks: [{ description: `Do ${agent}`, agent }] })).toMatchObject({
      done: true,
      tasks: [{ result: { success: true } }],
    });
  const answers = await Promise.all(["D1-DEL-002", "D1"].map((id) => askEverywhere(runtime, client, id)));
  for (const { commandLine, ...others } of answers)
    for (const answer of Object.values(others)) expect(answer).toStrictEqual(commandLine);
  expect(answers.map(({ commandLine }) => commandLine.paths)).toStrictEqual([
    ["second.txt"],
    ["first.txt", "second.txt"],
  ]);
  client.endInput();
  await held.release();
});

async function askEverywhere(
  { project }: TestRuntime,
  client: RawClient,
  id: string,
): Promise<Readonly<Record<"commandLine" | "mcp" | "dashboard" | "library", Answer>>> {
  const served = await serveProject(project.root);
  const context = makeContext(project.root, { homeDirectory: dirname(project.root) });
  return {
    commandLine: readAnswer(await project.json("diff", id)),
    mcp: readAnswer(await client.call("diff", { id })),
    dashboard: readAnswer(await served.read<Diff>(`/api/delegations/${id}/diff`)),
    library: readAnswer(await diffUseCase.run(context, diffUseCase.input().parse({ id }))),
  };
}

function readAnswer({
  from,
  to,
  files,
}: {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly files?: unknown;
}): Answer {
  const list: readonly unknown[] = Array.isArray(files) ? files : [];
  const paths = list.map((file) =>
    typeof file === "object" && file !== null && "path" in file ? String(file.path) : "",
  );
  return { from, to, paths };
}
