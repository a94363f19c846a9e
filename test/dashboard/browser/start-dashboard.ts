import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { until, type Project } from "../../e2e/project.ts";

export interface StartedDashboard {
  /** The link `ambit dashboard` printed. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The built program, as a person starts it. */
export async function startDashboard(project: Project): Promise<StartedDashboard> {
  const child = project.start("pipe", "dashboard", "--no-open");
  return {
    url: await printedLink(child),
    close: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function printedLink(child: ChildProcess): Promise<string> {
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece) => {
      printed += String(piece);
    });
  const link = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/;
  await until("the dashboard prints its link", () => link.test(printed) || child.exitCode !== null);
  const [url] = link.exec(printed) ?? [];
  if (url === undefined) throw new Error(`the dashboard did not start: ${printed}`);
  return url;
}
