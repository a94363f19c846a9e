import { makeProject, type Project } from "./project.ts";

export interface ProjectTask {
  readonly number: number;
  readonly name: string;
  readonly status?: string;
  readonly language?: string;
  readonly criteria?: readonly string[];
}

/** A repository with a task list in the layout of R133–R135 and agents that follow scripts. */
export function makeTaskProject(tasks: readonly ProjectTask[], dir = "specs", timeoutMs?: number): Project {
  const project = makeProject({}, timeoutMs);
  const entries = tasks.map(({ number, name, status = "not_started", criteria }) => ({
    project_number: number,
    project_name: name,
    title: titleOf(name),
    description: `About ${name}; with \`care\``,
    status,
    ...(criteria === undefined ? {} : { criteria }),
  }));
  project.write(
    `${dir}/state.json`,
    `${JSON.stringify({ next_project_number: 400, active_projects: entries }, null, 2)}\n`,
  );
  const sections = tasks.map(({ number, name, status = "not_started", language }) =>
    [
      `### ${number}. ${titleOf(name)}`,
      `- **Status**: [${status.replaceAll("_", " ").toUpperCase()}]`,
      ...(language === undefined ? [] : [`- **Language**: ${language}`]),
      "",
    ].join("\n"),
  );
  project.write(`${dir}/TODO.md`, `# TODO\n\n${sections.join("\n")}`);
  project.write(
    "ambit.yaml",
    `tasks:\n  dir: ${dir}\nagents:\n  default: anyone\ndelegation:\n  windDown:\n    graceSeconds: 1\n`,
  );
  addAgent(project, "anyone", ["- return: {status: completed, summary: 'Nothing was to be done.'}"]);
  return project;
}

function titleOf(name: string): string {
  return name.replaceAll("_", " ");
}

export function addAgent(project: Project, name: string, steps: readonly string[]): void {
  const script = `.ambit/scripts/${name}.yaml`;
  project.write(
    `.ambit/agents/${name}.md`,
    `---\nadapter: scripted\ncommand: [${script}]\n---\nYou are ${name}.\n`,
  );
  project.write(script, `${steps.join("\n")}\n`);
}

export function commitAll(project: Project): void {
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "tasks");
}

/** The status in state.json; empty for a task that is not in it. */
export function statusOf(number: number, read: (path: string) => string, dir = "specs"): string {
  const state: { active_projects: { project_number: number; status: string }[] } = JSON.parse(
    read(`${dir}/state.json`),
  );
  return state.active_projects.find((task) => task.project_number === number)?.status ?? "";
}
