import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runInProcess } from "../run-in-process.ts";
import { temporaryFolder, temporaryRepository } from "../temporary-folder.ts";

const template = (title: string, summary: string, text = ""): string =>
  `---\ntitle: ${title}\nsummary: ${summary}\n---\n${text}\n`;

const RELEASE = template("Release", "Each release", "Notes come first.");
const PATH = process.env["PATH"] ?? "";

let index: string;
let project: string;

function git(directory: string, ...words: readonly string[]): string {
  const environment = { PATH, HOME: directory };
  return execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
    cwd: directory,
    env: environment,
    encoding: "utf8",
  });
}

beforeEach(() => {
  index = join(temporaryFolder(), "index.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", index]);
  project = makeProject({ ".ambit/templates/release.md": RELEASE });
});

function makeProject(files: Readonly<Record<string, string>>): string {
  const folder = temporaryRepository({ ...files, "ambit.yaml": `templates:\n  index: file://${index}\n` });
  git(folder, "config", "user.name", "Ada");
  git(folder, "config", "user.email", "ada@example.org");
  return folder;
}

async function run(directory: string, ...words: string[]) {
  const environment = { PATH, HOME: directory };
  const ending = await runInProcess(["template", ...words, "--json"], { directory, environment });
  const document: Record<string, unknown> = JSON.parse(ending.stdout);
  return { ...ending, document };
}

const show = (path: string): string => git(index, "show", `main:${path}`);
const countCommits = (): number => Number(git(index, "rev-list", "--count", "main"));

describe("an index of templates in a git repository (R184)", () => {
  it("accepts a published template, which others find by words and add by name (R184)", async () => {
    const { exitCode, document } = await run(project, "publish", "release", "--yes");
    expect([exitCode, document]).toEqual([
      0,
      expect.objectContaining({ action: "add", path: "templates/release.md", branch: "main" }),
    ]);
    expect(show("templates/release.md")).toBe(RELEASE);
    expect(git(index, "log", "-1", "--format=%an <%ae> %s", "main").trim()).toBe(
      "Ada <ada@example.org> Add template release: Release",
    );
    const other = makeProject({
      ".ambit/templates/review.md": template("Review", "Two look at it", "Each RELEASE is read twice."),
    });
    await run(other, "publish", "review", "--yes");
    expect(countCommits()).toBe(2);
    const third = makeProject({ ".ambit/templates/review.md": template("Review", "My own", "Read it.") });
    const names = async (...words: string[]): Promise<unknown> =>
      (await run(third, "search", ...words)).document["templates"];
    expect(await names("release")).toMatchObject([
      { name: "release", title: "Release", summary: "Each release", here: "no" },
      { name: "review", here: "differs" },
    ]);
    expect(await names("Release", "twice")).toMatchObject([{ name: "review" }]);
    expect(await names("nothing like this")).toEqual([]);
    const added = await run(third, "add", "release", "--yes");
    expect(added.document["written"]).toEqual([".ambit/templates/release.md"]);
    expect(readFileSync(join(third, ".ambit/templates/release.md"), "utf8")).toBe(RELEASE);
    expect(await names("first")).toMatchObject([{ name: "release", here: "same" }]);
    expect((await run(third, "add", "unknown", "--yes")).document["error"]).toMatchObject({
      code: "TEMPLATE_NOT_FOUND",
    });
  });

  it("replaces a template only on request, and changes nothing else (R184)", async () => {
    await run(project, "publish", "release", "--yes");
    expect((await run(project, "publish", "release", "--yes")).document).toMatchObject({
      action: "same",
      commit: null,
    });
    const other = makeProject({
      ".ambit/templates/second.md": template("Second", "Another", "Do it twice."),
    });
    await run(other, "publish", "second", "--yes");
    writeFileSync(join(project, ".ambit/templates/release.md"), `${RELEASE}And then the rest.\n`);
    expect((await run(project, "publish", "release", "--yes")).document["error"]).toMatchObject({
      code: "TEMPLATE_EXISTS",
    });
    expect((await run(project, "publish", "release", "--replace", "--dry-run")).document).toMatchObject({
      action: "replace",
      commit: null,
    });
    expect(countCommits()).toBe(2);
    await run(project, "publish", "release", "--replace", "--yes");
    expect(show("templates/release.md")).toContain("And then the rest.");
    expect(show("templates/second.md")).toContain("Another");
    expect(countCommits()).toBe(3);
  });

  it("publishes no credential, nothing without consent, and nothing to an address that runs a program (R184)", async () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    writeFileSync(join(project, ".ambit/templates/leak.md"), template("Leak", "Has a key", key));
    expect((await run(project, "publish", "leak", "--yes")).document["error"]).toMatchObject({
      code: "TEMPLATE_SOURCE_REFUSED",
    });
    expect((await run(project, "publish", "release")).stdout).toContain("--yes");
    const mark = join(project, "ran");
    const bad = await run(project, "publish", "release", "--yes", "--index", `ext::sh -c touch% ${mark}`);
    expect([bad.exitCode, existsSync(mark)]).toEqual([2, false]);
    const gone = await run(project, "publish", "release", "--yes", "--index", "file:///nothing/here");
    expect(gone.document["error"]).toMatchObject({ code: "TEMPLATE_SOURCE_REFUSED" });
    expect((await run(project, "publish", "feature", "--yes")).document["error"]).toMatchObject({
      code: "USAGE",
    });
    expect(git(index, "for-each-ref")).toBe("");
  });

  it("says how to name an index if there is none (R184)", async () => {
    const bare = temporaryRepository();
    const { document } = await run(bare, "search");
    expect(document["error"]).toMatchObject({ code: "USAGE" });
    expect(JSON.stringify(document)).toContain("templates.index");
  });
});
