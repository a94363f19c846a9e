import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runInProcess } from "../run-in-process.ts";
import { listFiles, temporaryFolder, temporaryRepository } from "../temporary-folder.ts";

const RELEASE = `---
title: Release
summary: Each release
parts:
  - {name: notes, description: Write notes, hours: 2, accept: "\`npm run notes\` passes"}
  - {description: Publish, after: notes, agent: publisher}
---
Notes come first.
`;

const PATH = process.env["PATH"] ?? "";

function add(directory: string, ...words: string[]) {
  return runInProcess(["template", "add", ...words], { directory, environment: { PATH, HOME: directory } });
}

async function addJson(directory: string, ...words: string[]) {
  const ending = await add(directory, ...words, "--json");
  const document: Record<string, unknown> = JSON.parse(ending.stdout);
  return { ...ending, document };
}

it("shows every line and every command before it writes, and asks if a person can answer (R184)", async () => {
  const project = temporaryRepository();
  const source = temporaryFolder({ "templates/release.md": RELEASE, "templates/notes.txt": "x" });
  const before = listFiles(project);
  const unasked = await add(project, source);
  expect(unasked.exitCode).toBe(2);
  expect(unasked.stderr).toContain("--yes");
  expect(listFiles(project)).toEqual(before);
  const shown = await add(project, source, "--dry-run");
  expect(shown.stdout).toContain("| Notes come first.");
  expect(shown.stdout).toContain("RUNS     npm run notes");
  expect(shown.stdout).toContain("agents   publisher");
  expect(listFiles(project)).toEqual(before);
  const done = await add(project, source, "--yes");
  expect(done.exitCode).toBe(0);
  expect(readFileSync(join(project, ".ambit/templates/release.md"), "utf8")).toBe(RELEASE);
  expect(readdirSync(join(project, ".ambit/templates"))).toEqual(["release.md"]);
  const listed = await runInProcess(["template", "list"], { directory: project });
  expect(listed.stdout).toContain("2 parts, handed out");
});

it("replaces a template only on request, and leaves an identical one alone (R184)", async () => {
  const project = temporaryRepository({ ".ambit/templates/release.md": "mine\n" });
  const source = temporaryFolder({ "release.md": RELEASE });
  const { document, exitCode } = await addJson(project, source, "--yes");
  expect(exitCode).toBe(2);
  expect(document["error"]).toMatchObject({ code: "TEMPLATE_EXISTS" });
  expect(readFileSync(join(project, ".ambit/templates/release.md"), "utf8")).toBe("mine\n");
  expect((await addJson(project, source, "--yes", "--replace")).document["written"]).toEqual([
    ".ambit/templates/release.md",
  ]);
  expect((await addJson(project, source, "--yes")).document["written"]).toEqual([]);
});

it("adds nothing if one of the files is a link, too large, binary or not a template (R184)", async () => {
  const secret = join(temporaryFolder({ secret: "the secret" }), "secret");
  const bad: readonly (readonly [(folder: string) => void, string])[] = [
    [(folder) => symlinkSync(secret, join(folder, "bad.md")), "symbolic link"],
    [(folder) => writeFileSync(join(folder, "bad.md"), "x".repeat(70_000)), "70000 bytes"],
    [(folder) => writeFileSync(join(folder, "bad.md"), Buffer.from([0xff, 0xfe, 0])), "UTF-8"],
    [(folder) => execFileSync("mkfifo", [join(folder, "bad.md")]), "not a regular file"],
    [(folder) => writeFileSync(join(folder, "bad.yaml"), "title: 1\n"), "title"],
  ];
  for (const [spoil, problem] of bad) {
    const project = temporaryRepository();
    const source = temporaryFolder({ "good.md": RELEASE });
    spoil(source);
    const before = listFiles(project);
    const { exitCode, document, stdout } = await addJson(project, source, "--yes");
    expect(exitCode).toBe(1);
    expect(document["written"]).toEqual([]);
    expect(stdout).toContain(problem);
    expect(stdout).not.toContain("the secret");
    expect(listFiles(project)).toEqual(before);
  }
});

it("never writes through a link in the project (R184)", async () => {
  const elsewhere = temporaryFolder();
  const source = temporaryFolder({ "release.md": RELEASE });
  const project = temporaryRepository();
  symlinkSync(elsewhere, join(project, ".ambit"));
  const { exitCode, document } = await addJson(project, source, "--yes");
  expect(exitCode).toBe(2);
  expect(document["error"]).toMatchObject({ code: "TEMPLATE_SOURCE_REFUSED" });
  expect(readdirSync(elsewhere)).toEqual([]);
  const other = temporaryRepository({ "kept.txt": "kept" });
  mkdirSync(join(other, ".ambit/templates"), { recursive: true });
  symlinkSync(join(other, "kept.txt"), join(other, ".ambit/templates/release.md"));
  expect((await add(other, source, "--yes", "--replace")).exitCode).toBe(0);
  expect(readFileSync(join(other, "kept.txt"), "utf8")).toBe("kept");
});

function gitRepository(files: Readonly<Record<string, string>>, prepare?: (folder: string) => void): string {
  const folder = temporaryFolder(files);
  const git = (...words: string[]): void =>
    void execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
      cwd: folder,
      stdio: "ignore",
    });
  git("init", "--quiet", "--initial-branch=main");
  prepare?.(folder);
  git("add", "-A");
  git("commit", "--quiet", "-m", "templates");
  return folder;
}

it("adds templates from a git repository without checking anything out (R184)", async () => {
  const repository = gitRepository({ ".ambit/templates/release.md": RELEASE, "templates/other.md": "no" });
  const project = temporaryRepository();
  const { exitCode, document } = await addJson(project, `file://${repository}`, "--yes");
  expect(exitCode).toBe(0);
  expect(document["written"]).toEqual([".ambit/templates/release.md"]);
  const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: repository, encoding: "utf8" }).trim();
  expect(document["commit"]).toBe(head);
  expect(readFileSync(join(project, ".ambit/templates/release.md"), "utf8")).toBe(RELEASE);
});

it("refuses links and large files of a repository, where a checkout would have followed them (R184)", async () => {
  const secret = join(temporaryFolder({ secret: "the secret" }), "secret");
  const repository = gitRepository({ "templates/good.md": RELEASE }, (folder) => {
    symlinkSync(secret, join(folder, "templates/link.md"));
    writeFileSync(join(folder, "templates/large.md"), "x".repeat(70_000));
  });
  const clone = join(temporaryFolder(), "clone");
  execFileSync("git", ["clone", "--quiet", repository, clone], { stdio: "ignore" });
  // Control: a plain clone leads to the file outside.
  expect(readFileSync(join(clone, "templates/link.md"), "utf8")).toBe("the secret");
  const project = temporaryRepository();
  const { exitCode, document, stdout } = await addJson(project, `file://${repository}`, "--yes");
  expect(exitCode).toBe(1);
  expect(document["written"]).toEqual([]);
  expect(stdout).toContain("symbolic link");
  expect(stdout).toContain("more than 65536 bytes");
  expect(stdout).not.toContain("the secret");
});

it("never lets an address run a program (R184)", async () => {
  const folder = temporaryFolder();
  const mark = join(folder, "ran");
  const address = `ext::sh -c touch% ${mark}`;
  // Control: git itself runs the program where such addresses are allowed.
  try {
    execFileSync("git", ["-c", "protocol.ext.allow=always", "ls-remote", address], { stdio: "ignore" });
  } catch {
    // It answers nothing that git understands; that it ran is what counts.
  }
  expect(existsSync(mark)).toBe(true);
  execFileSync("rm", [mark]);
  const project = temporaryRepository();
  for (const bad of [
    address,
    "http://example.org/x.git",
    "https://u:secret@example.org/x.git",
    "--upload-pack=x://",
  ]) {
    const ending = await add(project, "--yes", "--", bad);
    expect(ending.exitCode).toBe(2);
  }
  expect(existsSync(mark)).toBe(false);
});

it("explains why an address cannot be reached, and refuses a worker (R184)", async () => {
  const project = temporaryRepository();
  const missing = await addJson(project, `file://${project}/nothing`, "--yes");
  expect(missing.document["error"]).toMatchObject({ code: "TEMPLATE_SOURCE_REFUSED" });
  const environment = { AMBIT_TOKEN: "t" };
  const worker = await runInProcess(["template", "add", "x", "--json"], { directory: project, environment });
  expect(JSON.parse(worker.stdout)).toMatchObject({ error: { code: "NOT_A_PERSON" } });
});
