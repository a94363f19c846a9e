import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderMarker } from "../../src/tasks/task.ts";
import type { TaskStatus } from "../../src/contract/task-status.ts";
import { makeProject, type Project } from "./project.ts";

export interface Entry {
  readonly number: number;
  readonly title: string;
  readonly status?: TaskStatus;
  readonly todoStatus?: TaskStatus;
  readonly language?: string;
  readonly priority?: string;
}

/** A project with a task list as other tools wrote it. */
export function projectWith(entries: readonly Entry[], nextNumber: number): Project {
  const project = makeProject();
  project.write("specs/state.json", stateText(entries, nextNumber));
  project.write("specs/TODO.md", todoText(entries, nextNumber));
  commitAt(project, "tasks", "2026-01-05T08:00:00Z");
  return project;
}

export function stateText(entries: readonly Entry[], nextNumber: number): string {
  const active_projects = entries.map(
    ({ number, title, status = "not_started", language = "general", priority = "medium" }) => ({
      project_number: number,
      project_name: slugOf(title),
      status,
      language,
      priority,
      description: `${title}, as a person asked for it.`,
      x_kept: { by: "another tool" },
    }),
  );
  return `${JSON.stringify({ next_project_number: nextNumber, active_projects }, null, 2)}\n`;
}

export function todoText(entries: readonly Entry[], nextNumber: number): string {
  const parts = entries.map(
    ({
      number,
      title,
      status = "not_started",
      todoStatus = status,
      language = "general",
      priority = "medium",
    }) =>
      `### ${number}. ${title}\n- **Effort**: 2 hours\n- **Status**: ${renderMarker(todoStatus)}\n- **Priority**: ${priority}\n- **Language**: ${language}\n\n**Description**: ${title}, as a person asked for it.\n`,
  );
  return `---\nnext_project_number: ${nextNumber}\n---\n\n# TODO\n\nNotes   of a person,  spaced oddly.\n\n## Tasks\n\n${parts.join("\n---\n\n")}`;
}

function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "_");
}

/** Commits everything under `specs`, at a time of our choice. */
export function commitAt(project: Project, message: string, date: string, ...paths: string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/", GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  const git = (...words: string[]): void => {
    const who = ["-c", "user.name=U", "-c", "user.email=u@example.org"];
    execFileSync("git", [...who, ...words], { cwd: project.root, env });
  };
  git("add", ...(paths.length === 0 ? ["specs"] : paths));
  git("commit", "--quiet", "-m", message);
}

/** Every file of the task list with the hash of its bytes. */
export function taskFiles(project: Project): Readonly<Record<string, string>> {
  return hashFiles(join(project.root, "specs"));
}

export function hashFiles(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    names.toSorted().map((name) => [name.slice(folder.length + 1), hashOf(readFileSync(name))]),
  );
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function readState(project: Project): {
  next_project_number: number;
  active_projects: Record<string, unknown>[];
} {
  return JSON.parse(readFileSync(join(project.root, "specs/state.json"), "utf8"));
}

export function readTodo(project: Project): string {
  return readFileSync(join(project.root, "specs/TODO.md"), "utf8");
}
