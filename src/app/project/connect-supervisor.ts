import { CONFIG_FILE_NAME } from "../../contract/environment-names.ts";
import { connectSupervisor, type SupervisorClient } from "../../supervisor/client.ts";
import { ensureSupervisor } from "../../supervisor/ensure-supervisor.ts";
import { supervisorFiles } from "../../supervisor/supervisor-files.ts";
import type { AppContext } from "./app-context.ts";
import { getStateDirectory } from "../../project/state-directory.ts";
import { listNamedConfigFiles } from "../../project/story-environments.ts";
import { findProject, readStore } from "./open-project.ts";
import { isKnownWorker } from "./known-worker.ts";

type SupervisorContext = Pick<
  AppContext,
  | "askTrust"
  | "configFile"
  | "directory"
  | "environment"
  | "homeDirectory"
  | "isProjectTrusted"
  | "program"
  | "supervisor"
  | "surface"
  | "version"
>;

/** Uses the project's supervisor, which is started if none is running, and closes the connection afterwards. */
export async function withSupervisor<Result>(
  context: SupervisorContext,
  use: (client: SupervisorClient) => Promise<Result>,
): Promise<Result> {
  const client = await startSupervisor(context);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** Connects to the project's supervisor and starts one if none is running. */
export async function startSupervisor(context: SupervisorContext): Promise<SupervisorClient> {
  if (context.supervisor !== undefined) return context.supervisor();
  const { root } = findProject(context);
  await requireTrustToStart(context, root);
  return ensureSupervisor({
    projectRoot: root,
    version: context.version,
    surface: context.surface,
    program: [...context.program, "__supervisor"],
    environment: withConfigFile(context),
  });
}

/** The variables of a command's shell, together with the settings file that the command names. */
export function withConfigFile({
  environment,
  configFile,
}: Pick<AppContext, "configFile" | "environment">): AppContext["environment"] {
  return { ...environment, [CONFIG_FILE_NAME]: configFile };
}

/** A new supervisor continues what is open, each story with the file it was started with; one that runs has done so already. */
async function requireTrustToStart(context: SupervisorContext, root: string): Promise<void> {
  const isDecided = context.isProjectTrusted !== undefined;
  if (isDecided && listNamedConfigFiles(getStateDirectory(root)).length === 0) return;
  if (await isKnownWorker(context)) return;
  const running = await findSupervisor(context);
  running?.close();
  if (running === undefined) await requireTrustOfOpenWork(context);
}

/** Open work continues with the project, and with the settings files that its commands named, as they are now. */
export async function requireTrustOfOpenWork(
  context: Pick<AppContext, "askTrust" | "directory" | "environment" | "homeDirectory">,
): Promise<void> {
  const open = await readStore(context, async (reader) => (await reader?.openStories(1)) ?? []);
  if (open.length === 0) return;
  const { requireTrust } = await import("./require-trust.ts");
  await requireTrust(context);
  const named = listNamedConfigFiles(getStateDirectory(findProject(context).root));
  for (const configFile of named) await requireTrust({ ...context, configFile });
}

/** Connects to the project's supervisor; undefined if none is running. */
export async function findSupervisor(
  context: Pick<AppContext, "directory" | "supervisor" | "version">,
  { anyProtocol = false } = {},
): Promise<SupervisorClient | undefined> {
  if (context.supervisor !== undefined) return context.supervisor();
  const { version } = context;
  return connectSupervisor(supervisorFiles(findProject(context).root), { version, anyProtocol });
}
