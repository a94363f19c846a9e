import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agentScripts, failingScripts } from "./agent-scripts.ts";
import { projectFiles } from "./project-files.ts";

/**
 * A fresh repository with one commit: a package with failing tests, and agents that follow scripts. The folder around it
 * is the demo's own, for the workspaces beside the repository.
 */
export function makeDemoProject(fail: string | undefined): string {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), "ambit-demo-"))), "till");
  const scripts = { ...agentScripts, ...failingScripts[fail ?? ""] };
  const files = { ...projectFiles, ...Object.fromEntries(Object.entries(scripts).flatMap(filesOfAgent)) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...words: string[]): void =>
    void execFileSync("git", ["-c", "user.name=You", "-c", "user.email=you@localhost", ...words], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
    });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "A till with failing tests");
  return root;
}

function filesOfAgent([name, script]: [string, string]): readonly [string, string][] {
  const definition = `---\nname: ${name}\nadapter: scripted\ncommand: [.ambit/demo/${name}.yaml]\n---\n`;
  return [
    [`.ambit/demo/${name}.yaml`, script],
    [`.ambit/agents/${name}.md`, definition],
  ];
}
