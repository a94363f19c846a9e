/** The journal records task changes that belong to no story under this id; no story has it. */
export const tasksStory = "tasks";
