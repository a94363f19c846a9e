/** Changes of tasks that no story asked for stand in the journal under this name; there is no story of that id. */
export const tasksStory = "tasks";
