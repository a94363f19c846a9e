import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { makeContext } from "../../app/make-context.ts";
import { serveDashboard, type DashboardServing } from "../../../src/dashboard/serve-dashboard.ts";

/** The server in this process, with the app as it was built, over the store of a project. */
export async function serveBuiltApp(root: string, port = 0): Promise<DashboardServing> {
  const assets = resolve("dist/cli/dashboard");
  if (!existsSync(assets)) throw new Error(`${assets} is not there: npm run build`);
  return serveDashboard({
    context: makeContext(root),
    tasksDir: "specs",
    assets,
    port,
  });
}
