import { clusterErrors } from "../../errors/cluster.ts";
import type { ClusterWish } from "../../journal/cluster.ts";
import type { AppContext } from "../project/app-context.ts";
import { findProject, openWorkspaces } from "../project/open-project.ts";

/** The project as the cluster knows it, and the address from the environment. */
export async function describeWish(context: AppContext): Promise<ClusterWish> {
  const { storeFile } = findProject(context);
  const { readMembership } = await import("../../journal/cluster.ts");
  // A damaged note of the cluster names no project: the commands then find the journal again, and write the note.
  const project = readMembership(storeFile)?.project || (await nameProject(context));
  return { file: storeFile, project, environment: context.environment };
}

async function nameProject(context: AppContext): Promise<string> {
  const { repository } = await openWorkspaces(context);
  const { findFirstCommit } = await import("../../workspace/first-commit.ts");
  const project = await findFirstCommit(repository);
  if (project === undefined) throw clusterErrors.noCommit();
  return project;
}
