import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { makeProject, type Project } from "./project.ts";

let project: Project;

beforeAll(() => {
  project = makeProject();
});

afterAll(() => project.remove());

const finish = `printf '{"status":"completed","summary":"Wrote it. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;

/** A worker that tries to give commands to the runner, and then does its task. */
function describeAgent(name: string, line: string): void {
  const command = JSON.stringify(["sh", "-c", line]);
  project.write(
    `.ambit/agents/${name}.md`,
    `---\nname: ${name}\ndescription: writes\nadapter: command\ncommand: ${command}\n---\nDo it.\n`,
  );
}

interface Job {
  readonly status: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** The step of the action as the runner starts it, with the variables it sets. */
async function runJob(inputs: Readonly<Record<string, string>>): Promise<Job> {
  const [outputs, summary] = ["outputs.txt", "summary.md"].map((name) => join(project.root, "..", name));
  if (outputs === undefined || summary === undefined) throw new Error("no files");
  for (const file of [outputs, summary]) writeFileSync(file, "");
  const child = spawn(process.execPath, [resolve("scripts/run-story.mjs")], {
    cwd: project.root,
    env: {
      PATH: process.env["PATH"],
      HOME: join(project.root, "../home"),
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_RUN_ID: "4711",
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: summary,
      AMBIT_TRUST: "1",
      ...inputs,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  const pairs = readFileSync(outputs, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(/=(.*)/su, 2));
  return {
    status: child.exitCode,
    log: out + errors,
    outputs: Object.fromEntries(pairs),
    summary: readFileSync(summary, "utf8"),
  };
}

describe("the GitHub action", () => {
  it("runs a story, reports its outcome to the job, and lets no text of a worker become a command", async () => {
    describeAgent("writer", `cat > /dev/null; echo '::error::injected'; echo x > b.txt; ${finish}`);
    const job = await runJob({
      AMBIT_STORY: "Write b.txt | and <b>no</b> more",
      AMBIT_AGENT: "writer",
      AMBIT_ACCEPT: "file b.txt exists\n`test -s b.txt` passes\n",
    });
    expect([job.status, job.outputs]).toStrictEqual([
      0,
      { story: "gh-4711-1", outcome: "completed", code: "", branch: "ambit/gh-4711-1", "cost-usd": "" },
    ]);
    expect(job.log.split("\n").filter((line) => line.startsWith("::"))).toStrictEqual([
      "::group::gh-4711-1 Write b.txt | and <b>no</b> more: done",
      "::endgroup::",
    ]);
    expect(job.log).toContain("\n| ::error::injected\n");
    expect(job.summary).toContain("## Write b.txt &#124; and &#60;b&#62;no&#60;/b&#62; more");
    expect(job.summary).toMatch(/\*\*completed\*\*.*\n[\s\S]*\| 2\/2 \|/);
  });

  it("fails the step with the story's exit status, and executes no input", async () => {
    describeAgent("quitter", "cat > /dev/null; exit 1");
    const trap = join(project.root, "../owned");
    const job = await runJob({
      AMBIT_STORY: `Try; $(touch ${trap})`,
      AMBIT_AGENT: "quitter",
      AMBIT_STORY_ID: "US-9",
      AMBIT_ACCEPT: `\`touch ${trap}\`; x`,
    });
    expect(job.status).toBe(1);
    expect(job.outputs).toMatchObject({ story: "US-9", outcome: "failed", branch: "" });
    expect(job.log).toMatch(/^::(?:error|warning) title=US-9/m);
    expect(existsSync(trap)).toBe(false);
  });

  it("declares what its script reads and writes", () => {
    const names = z.record(z.string(), z.unknown());
    const steps = z.array(
      z.object({ id: z.string().optional(), env: z.record(z.string(), z.string()).optional() }),
    );
    const action = z
      .object({ inputs: names, outputs: names, runs: z.object({ using: z.literal("composite"), steps }) })
      .parse(parse(readFileSync("action.yml", "utf8")));
    const script = readFileSync("scripts/run-story.mjs", "utf8");
    const passed = action.runs.steps.find(({ id }) => id === "run")?.env ?? {};
    for (const name of Object.keys(passed)) expect(script).toContain(`"${name}"`);
    expect(Object.keys(action.outputs).toSorted()).toStrictEqual([
      "branch",
      "code",
      "cost-usd",
      "outcome",
      "story",
    ]);
    const used = Object.values(passed).join(" ");
    for (const name of Object.keys(action.inputs).filter((one) => one !== "working-directory"))
      expect(used).toContain(`inputs.${name} }}`);
    // An expression inside a script would be run by it.
    expect(readFileSync("action.yml", "utf8")).not.toMatch(/run:.*\$\{\{/);
  });
});
