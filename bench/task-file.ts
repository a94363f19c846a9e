const statuses = ["completed", "researched", "planned", "abandoned", "not_started", "partial", "blocked"];
const languages = ["lean", "meta", "markdown", "general", "typst"];
const priorities = ["high", "medium", "low"];
const SENTENCE =
  "Replace the hard-coded duration by one that is built from the frame, keep the proofs, and say which of them changed. ";

/**
 * A state.json of so many entries, about 1 KB each: the fields, and how often each is there, are those of task files
 * found in public projects. With entries of a real file, those are taken, again and again under new numbers.
 */
export function makeTaskFile(count: number, real: readonly object[]): string {
  const projects = Array.from({ length: count }, (_unused, index) => {
    const project_number = index + 1;
    const entry = real[index % Math.max(1, real.length)] ?? makeEntry(project_number);
    return { ...entry, project_number };
  });
  return `${JSON.stringify({ next_project_number: count + 1, active_projects: projects }, null, 2)}\n`;
}

/** The readable half of such a list, as projects have it beside state.json. */
export function makeTodoFile(state: string): string {
  const { active_projects: projects } = JSON.parse(state);
  const parts = projects.map((task: Readonly<Record<string, unknown>>) => todoEntry(task));
  return `# TODO\n\n## Tasks\n\n${parts.join("\n---\n\n")}`;
}

function todoEntry(task: Readonly<Record<string, unknown>>): string {
  const text = (name: string): string => (task[name] === undefined ? "" : JSON.stringify(task[name]));
  const plain = (name: string): string => text(name).replaceAll('"', "").replaceAll("_", " ");
  return [
    `### ${text("project_number")}. ${plain("project_name")}`,
    `- **Status**: [${plain("status").toUpperCase()}]`,
    `- **Language**: ${plain("language")}`,
    `\n**Description**: ${plain("description")}\n`,
  ].join("\n");
}

function makeEntry(number: number): object {
  const project_name = `replace_duration_in_frame_conditions_${number}`;
  const day = String((number % 27) + 1).padStart(2, "0");
  const folder = `specs/${number}_${project_name}`;
  return {
    project_number: number,
    project_name,
    status: statuses[number % statuses.length],
    language: languages[number % languages.length],
    ...(number % 4 === 0 ? {} : { priority: priorities[number % priorities.length] }),
    created: `2026-02-${day}T01:25:30Z`,
    last_updated: `2026-03-${day}T02:15:00Z`,
    ...(number % 2 === 0 ? { description: SENTENCE.repeat((number % 5) + 1).trim() } : {}),
    ...(number % 2 === 1 ? { session_id: "sess_1772415808_e4d045" } : {}),
    ...(number % 9 === 0 ? { dependencies: [number - 1, number - 2] } : {}),
    artifacts: Array.from({ length: number % 6 }, (_unused, index) => ({
      type: ["research", "plan", "summary"][index % 3],
      path: `${folder}/reports/research-00${index + 1}.md`,
      summary: SENTENCE.trim(),
    })),
  };
}
