import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
  project.write(
    ".ambit/agents/writer.md",
    `---\nadapter: command\ncommand: [sh, -c, ${JSON.stringify(script)}]\n---\nWrite.\n`,
  );
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "agent");
});
afterEach(() => project.remove());

/** It writes a file with the first word of its task. */
const script = [
  "word=$(sed -n 's/.*Write \\([a-z]*\\).*/\\1/p' | head -1)",
  'echo x > "$word.txt"',
  `printf '{"status":"completed","summary":"Wrote it.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`,
].join("; ");

it("a file of delegations is handed out as it is, without an agent that divides it (R131)", async () => {
  const parts = [
    { description: "Write one", accept: ["file one.txt exists"] },
    { description: "Write two", accept: ["file two.txt exists"], depends_on: ["#1"] },
  ];
  project.write("../parts.json", JSON.stringify(parts));
  const ended = await project.json(
    "run",
    "Both",
    "--id",
    "EX",
    "--agent",
    "writer",
    "--parts",
    "../parts.json",
  );
  expect(ended).toMatchObject({ outcome: "completed", branch: "ambit/EX", merged: true });
  expect(project.git("ls-tree", "--name-only", "ambit/EX")).toMatch(/one\.txt\n.*two\.txt/s);
  project.write("../parts.txt", "First [delegate:Write three:2], then [delegate:Write four:1].\n");
  await project.json("run", "Two more", "--id", "EY", "--agent", "writer", "--parts", "../parts.txt");
  expect(project.git("ls-tree", "--name-only", "ambit/EY")).toMatch(/four\.txt\n.*three\.txt/s);
  expect(JSON.stringify(await project.json("tree", "EY"))).toContain("EY-DEL-002");
});

it.each([
  ["a list with an unknown field", '[{"description":"Write one","agnet":"writer"}]', "agnet"],
  ["an empty list", "[]", "is empty"],
  ["a malformed directive", "[delegate:Write one:soon]", "INVALID_HOURS"],
  ["neither a list nor a directive", "Do something.", "neither a list nor a directive"],
])("a file of delegations with %s is refused before anything starts (R131)", async (_name, text, why) => {
  project.write("../parts", text);
  const { status, stderr } = await project.ambit("run", "Both", "--agent", "writer", "--parts", "../parts");
  expect(stderr).toContain(why);
  expect(status).toBe(2);
  expect(existsSync(join(project.root, ".git/ambit/ambit.db"))).toBe(false);
});

it("a person writes a line into the journal of a story that has ended (R130)", async () => {
  await project.json("run", "Write one", "--id", "NOTED", "--agent", "writer");
  expect((await project.ambit("logs", "NOTED", "--note", " Looked at it. ")).stdout).toContain("Noted");
  expect((await project.ambit("logs", "NOTED", "--events")).stdout).toContain("person: Looked at it.");
  expect((await project.ambit("audit", "--verify")).status).toBe(0);
  expect((await project.ambit("logs", "NOBODY", "--note", "x")).status).not.toBe(0);
});

it("clearing the history warns, keeps what is needed, and begins a new journal (R130)", async () => {
  await project.json(
    "run",
    "Write one",
    "--id",
    "OLD",
    "--agent",
    "writer",
    "--accept",
    "file one.txt exists",
  );
  const refused = await project.ambit("clean", "--history", "--yes");
  expect(refused.stderr).toContain("not merged: ambit/OLD");
  await project.ambit("merge", "OLD", "--yes");
  const asked = await project.ambit("clean", "--history");
  expect(asked.stderr).toContain("Clear the history? There is no terminal to ask on");
  expect(asked.stderr).toContain("This removes the history from all reports");
  expect(JSON.stringify(await project.json("list"))).toContain("OLD");
  const cleared = await project.ambit("clean", "--history", "--yes");
  expect([cleared.status, cleared.stderr]).toEqual([0, expect.not.stringContaining("✖")]);
  const aside = readdirSync(join(project.root, ".git/ambit")).find((name) => name.startsWith("history-"));
  expect(readdirSync(join(project.root, ".git/ambit", aside ?? ""))).toEqual(
    expect.arrayContaining(["ambit.db", "logs"]),
  );
  expect(JSON.stringify(await project.json("list"))).not.toContain("OLD");
  expect((await project.ambit("audit", "--verify")).status).toBe(0);
  expect(await project.json("run", "Write two", "--id", "NEW", "--agent", "writer")).toMatchObject({
    outcome: "completed",
  });
  expect((await project.ambit("audit", "--verify")).status).toBe(0);
  expect((await project.ambit("doctor")).stdout).not.toContain("CHAIN_BROKEN");
});
