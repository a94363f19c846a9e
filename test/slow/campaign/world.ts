/** A project, its user and a ledger that the workers keep elsewhere: what is in it is the truth that Ambit is held against. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { removeFolder } from "../../e2e/remove-folder.ts";
import { cli, runCli, trustEverything, type CliResult } from "../../e2e/run-cli.ts";

export interface World {
  readonly root: string;
  readonly folder: string;
  /** Lines of the workers: `wrote <name>`, `spent <name>`, `began`. */
  readonly ledger: string;
  readonly ambit: (...words: string[]) => Promise<CliResult>;
  /** Starts a command and does not wait for it; it leads a process group of its own. */
  readonly start: (...words: string[]) => ChildProcess;
  /** Waits for what was started; answers the commands that do not end. One of them may have started a supervisor late. */
  readonly whenStartedEnded: () => Promise<readonly string[]>;
  readonly git: (...words: string[]) => string;
  readonly remove: () => Promise<void>;
}

export const STEP_MICRO_USD = 4000;
const STEPS = 3;
/** How long a command may take to end by itself after its story has ended. */
const MAX_COMMAND_MS = 60_000;

/** `place` is where the project lies; the ledger is always on the usual disk. */
export function makeWorld(place: string = tmpdir()): World {
  const folder = realpathSync(mkdtempSync(join(place, "ambit-campaign-")));
  const notes = place === tmpdir() ? folder : realpathSync(mkdtempSync(join(tmpdir(), "ambit-ledger-")));
  const [root, home, ledger] = [join(folder, "project"), join(folder, "home"), join(notes, "ledger")];
  mkdirSync(root);
  mkdirSync(home);
  appendFileSync(ledger, "");
  const environment = { AMBIT_IDLE_MS: "2000", ...trustEverything };
  const whole = { PATH: process.env["PATH"] ?? "", HOME: home, LC_ALL: "C", ...environment };
  const git = (...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
      cwd: root,
      env: whole,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  writeProject(root, ledger);
  git("init", "--quiet", "--initial-branch=main");
  git("add", "-A");
  git("commit", "--quiet", "-m", "start");
  writeFileSync(join(root, "mine.txt"), "mine, not added\n");
  writeFileSync(join(root, "list.txt"), "changed, not added\n");
  const ambit = (...words: string[]): Promise<CliResult> =>
    runCli(words, { directory: root, home, environment });
  const started: ChildProcess[] = [];
  return {
    root,
    folder,
    ledger,
    ambit,
    git,
    start: (...words) => {
      const options = { cwd: root, env: whole, stdio: "ignore", detached: true } as const;
      const child = spawn(process.execPath, [cli, ...words], options);
      started.push(child);
      return child;
    },
    whenStartedEnded: async () => {
      const open = started.filter((child) => child.exitCode === null && child.signalCode === null);
      await Promise.race([Promise.all(open.map((child) => once(child, "exit"))), wait(MAX_COMMAND_MS)]);
      return open.flatMap((child) =>
        child.exitCode === null && child.signalCode === null ? [child.spawnargs.slice(2).join(" ")] : [],
      );
    },
    remove: async () => {
      await ambit("supervisor", "stop", "--force");
      for (const pid of listProcesses(folder)) endProcess(pid);
      for (const each of new Set([folder, notes])) removeFolder(each);
    },
  };
}

function writeProject(root: string, ledger: string): void {
  // Each file has a name of its own, so that no attempt writes over what another one wrote.
  const step = `mkdir -p deep/er; for folder in "" deep/ deep/er/; do
name="\${folder}step-$$-$(date +%s%N).txt"; printf '%s\\n' "$name" > "$name" && echo "wrote $name" >> ${ledger} || exit 1
done; sleep 0.1\n`;
  const steps = `- run: [sh, step.sh]\n- spend: {input: 10, output: 1, usd: ${STEP_MICRO_USD / 1e6}}\n- run: [sh, spent.sh]\n`;
  const returns = (summary: string): string => `- return: {status: completed, summary: "${summary}"}\n`;
  const tasks = JSON.stringify(
    ["One", "Two"].map((description) => ({ description, agent: "worker", accept: ["`ls step-*` passes"] })),
  );
  const lead = `begin:\n- run: [sh, began.sh]\n${steps}- run: [ambit, delegate, --wait, "0", --tasks, '${tasks}']\nresults:\n${returns("All is there. It was checked.")}`;
  const files = {
    "list.txt": "as committed\n",
    "step.sh": step,
    "spent.sh": `echo spent >> ${ledger}\n`,
    "began.sh": `echo began >> ${ledger}\n`,
    "ambit.yaml": "delegation:\n  retry: {enabled: true, maxAttempts: 3}\n  windDown: {graceSeconds: 1}\n",
    "scripts/lead.yaml": lead.replaceAll("\n- ", "\n  - "),
    "scripts/worker.yaml": `- run: [sh, began.sh]\n${steps.repeat(STEPS)}${returns("Written. It was checked.")}`,
    ".ambit/agents/lead.md": "---\nadapter: scripted\ncommand: [scripts/lead.yaml]\n---\n",
    ".ambit/agents/worker.md": "---\nadapter: scripted\ncommand: [scripts/worker.yaml]\n---\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Every process that works in or for this folder, by its environment. */
export function listProcesses(folder: string, word = ""): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        const belongs = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${folder}/`);
        return belongs && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
      } catch {
        // Gone, or not ours to read.
        return false;
      }
    });
}

export function describeProcess(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").slice(0, 300)}`;
  } catch {
    return `${pid} (gone by now)`;
  }
}

export function endProcess(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    // It ended by itself.
    return false;
  }
}

export function readLedger(world: World, word: string): readonly string[] {
  const lines = readFileSync(world.ledger, "utf8").split("\n");
  return lines
    .filter((line) => line === word || line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1));
}

/** What a person calls theirs. Tasks are their own command's to change. */
export function userState(world: World): string {
  const refs = world
    .git("for-each-ref")
    .split("\n")
    .filter((line) => !/refs\/(?:ambit|heads\/(?:ambit|delegation))\//.test(line));
  const files = ["mine.txt", "list.txt", ".git/config", ".git/HEAD"].map((path) =>
    readFileSync(join(world.root, path), "utf8"),
  );
  const changed = world
    .git("status", "--porcelain", "--untracked-files=all")
    .split("\n")
    .filter((line) => !line.endsWith("/") && !line.slice(3).startsWith("specs/"));
  return JSON.stringify([refs, files, changed, world.git("ls-files", "--stage")]);
}
