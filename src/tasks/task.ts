/** The words the rest of the program uses about tasks. The store itself is `task-store.ts`, its reading half `read-tasks.ts`. */
export { parseMarker, renderMarker } from "./model/markers.ts";
export { parseRange } from "./model/ranges.ts";
export type { LanguageSources, NewSubtask, NewTask, StoredTask, TaskArtifact } from "./model/stored-task.ts";
export type { TaskChange, TaskOperation } from "./model/task-operation.ts";
