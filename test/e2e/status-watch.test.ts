import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, until, type Project } from "./project.ts";

let project: Project;

beforeAll(() => {
  project = makeProject();
});

afterAll(() => project.remove());

/** Runs until the file it waits for is there. */
function startStory(id: string): Promise<unknown> {
  const wait = `cat > /dev/null; while [ ! -e ${project.root}.go-${id} ]; do sleep 0.05; done`;
  const words = ["run", `Story ${id}`, "--id", id, "--accept", "file a.txt exists", "--detach"];
  return project.ambit(...words, "--", "sh", "-c", wait);
}

it("follows a named story to its end, one document per line without a terminal", async () => {
  await startStory("W1");
  const watch = project.start("pipe", "status", "W1", "--watch", "--json");
  let seen = "";
  watch.stdout?.on("data", (bytes: Buffer) => (seen += bytes.toString("utf8")));
  const ended = new Promise((resolve) => watch.once("close", resolve));
  await until("the first state is printed", () => seen.includes('"status":"running"'));
  writeFileSync(`${project.root}.go-W1`, "");
  expect(await ended).toBe(0);
  const documents = seen
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(documents.at(-1).status).not.toBe("running");
  expect(documents.every(({ story }) => story === "W1")).toBe(true);
});

it("exits on q in a terminal, and the work continues", async () => {
  await startStory("W2");
  const watch = project.start("terminal", "status", "--watch");
  let seen = "";
  watch.stdout?.on("data", (bytes: Buffer) => (seen += bytes.toString("utf8")));
  await until("the picture is drawn", () => seen.includes("q quits"));
  const ended = new Promise((resolve) => watch.once("close", resolve));
  watch.stdin?.write("q");
  expect(await ended).toBe(0);
  // The command that hid the cursor has shown it again.
  expect(seen.lastIndexOf("\u001B[?25h")).toBeGreaterThan(seen.lastIndexOf("\u001B[?25l"));
  expect(await project.json("status", "W2")).toMatchObject({ status: "running" });
  writeFileSync(`${project.root}.go-W2`, "");
});
