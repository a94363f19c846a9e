import type { StoredTask } from "../../../tasks/task.ts";

/** One task as other programs read it, without what only its card shows. */
export function wireTask(task: StoredTask): Readonly<Record<string, unknown>> {
  return {
    id: task.id,
    number: task.number ?? null,
    title: task.title,
    slug: task.slug,
    status: task.status,
    status_text: task.statusText,
    priority: task.priority,
    language: task.language,
    dependencies: task.dependencies,
    parent: task.parent ?? null,
    subtasks: task.subtasks,
    artifacts: task.artifacts,
    archived: task.archived,
    archive_reason: task.archiveReason ?? null,
    created: task.created,
    last_updated: task.lastUpdated,
  };
}
