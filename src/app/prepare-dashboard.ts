import { loadConfig } from "../config/load-config.ts";
import { configInput } from "./project/config-input.ts";
import type { AppContext } from "./project/app-context.ts";
import type { ProjectViewsOptions } from "./project-views.ts";
import { findProject } from "./project/open-project.ts";
import { requirePerson } from "./project/require-person.ts";

/** The facts that the dashboard of the project around the directory needs. */
export async function prepareDashboard(context: AppContext): Promise<ProjectViewsOptions> {
  await requirePerson(context, "never opens the dashboard, which answers in a person's name");
  return prepareViews({ ...context, surface: "dashboard" });
}

/** The facts that any surface needs that stays open in front of a person. */
export async function prepareViews(context: AppContext): Promise<ProjectViewsOptions> {
  const { root } = findProject(context);
  const { values } = await loadConfig(configInput(context));
  return { context: { ...context, directory: root }, tasksDir: values.tasks.dir };
}
