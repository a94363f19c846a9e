import * as z from "zod";
import type { StoredTask, TaskArtifact } from "../../tasks/task.ts";

const artifactSchema = () =>
  z.looseObject({ type: z.string(), path: z.string(), summary: z.string().optional() });

/** One task as other programs read it. */
export const taskSchema = () =>
  z.looseObject({
    id: z.string(),
    number: z.number().nullable(),
    title: z.string(),
    slug: z.string(),
    status: z.string().describe("unknown for the word of another tool"),
    status_text: z.string().describe("As it is written in the file"),
    priority: z.string(),
    language: z.string(),
    dependencies: z.array(z.string()),
    parent: z.string().nullable(),
    subtasks: z.array(z.string()),
    artifacts: z.array(artifactSchema()),
    archived: z.boolean(),
    archive_reason: z.string().nullable(),
    only_in_todo: z
      .literal(true)
      .optional()
      .describe("An entry of TODO.md that state.json lacks; ambit task sync imports it"),
    created: z.string(),
    last_updated: z.string(),
  });

export type DescribedTask = z.output<ReturnType<typeof taskSchema>>;

export function describeTask(task: StoredTask): DescribedTask {
  return {
    id: task.id,
    number: task.number ?? null,
    title: task.title,
    slug: task.slug,
    status: task.status,
    status_text: task.statusText,
    priority: task.priority,
    language: task.language,
    dependencies: [...task.dependencies],
    parent: task.parent ?? null,
    subtasks: [...task.subtasks],
    artifacts: task.artifacts.map(describeArtifact),
    archived: task.archived,
    archive_reason: task.archiveReason ?? null,
    ...(task.isOnlyInTodo === true ? { only_in_todo: true } : {}),
    created: task.created,
    last_updated: task.lastUpdated,
  };
}

function describeArtifact(artifact: TaskArtifact): DescribedTask["artifacts"][number] {
  return { ...artifact };
}
