import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  serveDashboard,
  type DashboardOptions,
  type DashboardServing,
} from "../../src/dashboard/serve-dashboard.ts";
import { makeContext } from "../app/make-context.ts";
import { sendTo, signInTo, type Answer, type Ask } from "./ask-dashboard.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

/** A dashboard on a real port, and a client that sends exactly the given request. */
export interface Served extends DashboardServing {
  readonly root: string;
  ask(path: string, ask?: Ask): Promise<Answer>;
  /** Signs in and gives the cookie. */
  signIn(): Promise<string>;
  /** Reads a document as a signed-in browser does. */
  read<Document>(path: string): Promise<Document>;
}

export function temporaryProject(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ambit-dashboard-")));
  onTestFinished(() => removeFolder(root));
  execFileSync("git", ["init", "--quiet", root]);
  mkdirSync(join(root, "app", "assets"), { recursive: true });
  writeFileSync(join(root, "app", "index.html"), '<!doctype html><meta content="%CSP_NONCE%">the app');
  writeFileSync(join(root, "app", "assets", "app-ABCD1234.js"), "export {};\n");
  return root;
}

export async function serveProject(root: string, more: Partial<DashboardOptions> = {}): Promise<Served> {
  const serving = await serveDashboard({
    context: makeContext(root),
    tasksDir: "specs",
    assets: join(root, "app"),
    ...more,
  });
  onTestFinished(() => serving.close());
  let cookie: string | undefined;
  const ask = (path: string, given: Ask = {}): Promise<Answer> => sendTo(serving.port, path, given);
  const signIn = (): Promise<string> => signInTo(serving);
  return {
    ...serving,
    root,
    ask,
    signIn,
    read: async (path) => {
      cookie ??= await signIn();
      const answer = await ask(path, { headers: { cookie } });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
      return JSON.parse(answer.body);
    },
  };
}
