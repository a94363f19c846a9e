import { makeRequest, readHead, type RunStory } from "../../workspace/merge-in-checkout.ts";

/** A control: the branch and the files are set to the story's commit and back, as git alone would do it. */
export const mergePlainly: RunStory = async (project, state) => {
  const { tip } = await makeRequest(project, state);
  let head = "";
  return {
    merge: () => {
      head = readHead(project);
      project.git("reset", "-q", "--hard", tip);
      return Promise.resolve({ status: "merged", isEdited: false });
    },
    undo: () => {
      project.git("reset", "-q", "--hard", head);
      return Promise.resolve();
    },
  };
};
