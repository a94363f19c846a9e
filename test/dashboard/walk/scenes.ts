import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeProject, until, type Project } from "../../e2e/project.ts";
import { listLiveFiles, unlessGone } from "../../live-files.ts";
import { ownStoreFile } from "../../own-store-file.ts";
import { makeBigStore } from "../big-store.ts";
import { runStory, startLiveStory } from "../browser/live-story.ts";
import { serveBuiltApp } from "../browser/serve-built-app.ts";
import { startDashboard } from "../browser/start-dashboard.ts";
import type { Subject } from "./views.ts";

/** A dashboard over something to look at. */
export interface Scene {
  readonly url: string;
  readonly subject: Subject;
  /** Undefined for a scene without processes. */
  readonly project: Project | undefined;
  /** Ends the server alone. */
  readonly stopServer: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A story at work: two workers wait for approval, one asks, one writes on, one is done. */
export async function openLiveScene(): Promise<Scene> {
  const live = await startLiveStory();
  const { project, story, url, close } = live;
  await project.ambit("task", "add", "Add OAuth login");
  await project.ambit("task", "divide", "1", "--into", "Token service", "Login routes");
  await runStory(live);
  await until("three questions wait", async () => {
    const { questions } = await project.json("inbox");
    return Array.isArray(questions) && questions.length === 3;
  });
  const begun = join(project.root, "..", "begun");
  const line = `touch ${begun}; exec sleep 3600`;
  const words = ["--id", "W1", "--detach", "--check", "true", "--", "sh", "-c", line];
  await project.ambit("run", "Say nothing", ...words);
  await until("the silent worker runs", () => existsSync(begun));
  const subject = { story, worker: `${story}-DEL-005` };
  return { url, subject, project, stopServer: live.stopServer, close };
}

/** A story that has ended and was not merged yet. */
export async function openFinishedScene(): Promise<Scene> {
  const project = makeProject();
  const line = String.raw`printf '\033[32mall is green\033[0m\n'; echo two > b.txt`;
  await project.ambit("run", "Write b", "--id", "F1", "--check", "test -f b.txt", "--", "sh", "-c", line);
  const dashboard = await startDashboard(project);
  return {
    url: dashboard.url,
    subject: { story: "F1", worker: "F1" },
    project,
    stopServer: dashboard.close,
    close: async () => {
      await dashboard.close();
      await project.remove();
    },
  };
}

/** A stored story of a thousand workers, one of them refused. */
export async function openBigScene(workers = 1000): Promise<Scene> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-walk-")));
  await makeBigStore(ownStoreFile(root), { delegations: workers, events: workers * 16, others: 12 });
  const serving = await serveBuiltApp(root);
  return {
    url: serving.url,
    subject: { story: "S-big", worker: "S-big-DEL-001" },
    project: undefined,
    stopServer: () => serving.close(),
    close: async () => {
      await serving.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Makes every worker's log eight minutes old; a worker that writes on makes its own young again. */
export function ageLogs({ root }: Project): void {
  const state = execFileSync("git", ["rev-parse", "--absolute-git-dir"], {
    cwd: root,
    encoding: "utf8",
  }).trim();
  const old = new Date(Date.now() - 8 * 60_000);
  for (const name of listLiveFiles(state))
    if (/(?:stdout|stderr)$/.test(name)) unlessGone(undefined, () => utimesSync(join(state, name), old, old));
}

export function editBoardByHand({ root }: Project): void {
  const file = join(root, "specs/TODO.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("Token service", "Token service of the shop"));
}
