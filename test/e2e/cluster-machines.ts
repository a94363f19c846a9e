import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeAgent } from "../orchestrator/open-runtime.ts";
import { makeProject, until, type Project } from "./project.ts";
import { cli, trustEverything } from "./run-cli.ts";

/** A machine of a cluster: a clone with a state folder and a home of its own, and `ambit worker` in it. */
export interface WorkerMachine {
  readonly name: string;
  readonly root: string;
  readonly process: ChildProcess;
  /** Its output so far. */
  readonly told: () => string;
  readonly git: (...words: string[]) => string;
  /** Resolves with its exit status. */
  readonly left: Promise<unknown>;
  /** As if the machine lost its power. */
  readonly kill: () => Promise<void>;
}

export interface Cluster {
  readonly project: Project;
  readonly hub: string;
  readonly agent: (name: string, script: object) => void;
  /** Commits what the project has and joins the cluster. */
  readonly begin: () => Promise<void>;
  readonly clone: (name: string) => string;
  readonly start: (name: string, ...flags: string[]) => Promise<WorkerMachine>;
  /** Which machine began each attempt, such as `S1.1 w1`. */
  readonly attempts: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

export interface ClusterOptions {
  readonly url: string;
  readonly settings?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A folder of programs that worker machines alone have. */
  readonly programs?: string;
  /** The build of Ambit that a machine runs; by default the usual one. */
  readonly cliOf?: (name: string) => string;
}

export function makeCluster({
  url,
  settings = "  lease: 10\n",
  environment = {},
  programs = "",
  cliOf = () => cli,
}: ClusterOptions): Cluster {
  const variables = { AMBIT_CLUSTER_URL: url, ...environment };
  const project = makeProject(variables);
  const folder = dirname(project.root);
  const hub = join(folder, "hub.git");
  const machines: WorkerMachine[] = [];
  execFileSync("git", ["init", "--quiet", "--bare", hub]);
  project.write(
    "ambit.yaml",
    `delegation:\n  windDown:\n    graceSeconds: 1\ncluster:\n  hub: ${hub}\n${settings}`,
  );
  const clone = (name: string): string => {
    const root = join(folder, name);
    execFileSync("git", ["clone", "--quiet", project.root, root]);
    mkdirSync(join(folder, `home-${name}`), { recursive: true });
    return root;
  };
  return {
    project,
    hub,
    clone,
    agent: (name, script) => describeAgent(project, name, script),
    begin: async () => {
      project.git("add", "-A");
      // Named after its folder: a project is known by its first commit.
      project.git("commit", "--quiet", "--amend", "-m", `start in ${project.root}`);
      await project.json("cluster", "init");
    },
    start: async (name, ...flags) => {
      const root = readdirSync(folder).includes(name) ? join(folder, name) : clone(name);
      const home = join(folder, `home-${name}`);
      const machine = startWorker({ name, root, home, flags, variables, programs, program: cliOf(name) });
      machines.push(machine);
      await until(`${name} is ready`, () => machine.told().includes("is ready"));
      return machine;
    },
    attempts: () => listAttempts(project),
    remove: async () => {
      for (const machine of machines) if (machine.process.exitCode === null) await machine.kill();
      await project.remove();
    },
  };
}

interface WorkerStart {
  readonly name: string;
  readonly root: string;
  readonly home: string;
  readonly flags: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly programs: string;
  readonly program: string;
}

function startWorker({ name, root, home, flags, variables, programs, program }: WorkerStart): WorkerMachine {
  const child = spawn(process.execPath, [program, "worker", "--name", name, ...flags], {
    cwd: root,
    env: {
      PATH: `${programs}:${process.env["PATH"] ?? ""}`,
      HOME: home,
      LC_ALL: "C",
      ...trustEverything,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (text += String(bytes)));
  const left = once(child, "exit").then(([status]): unknown => status);
  return {
    name,
    root,
    process: child,
    told: () => text,
    git: (...words) => execFileSync("git", words, { cwd: root, encoding: "utf8" }),
    left,
    kill: async () => {
      const tree = listTree(child.pid ?? 0);
      for (const pid of tree) killIfThere(pid);
      await left;
    },
  };
}

/** A process and everything below it, itself first. */
function listTree(root: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), readParent(name)] as const);
  const below = (pid: number): readonly number[] => [
    pid,
    ...parents.filter(([, parent]) => parent === pid).flatMap(([child]) => below(child)),
  ];
  return below(root);
}

function readParent(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    // The process has ended in the meantime.
    return 0;
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended with its parent.
  }
}

async function listAttempts(project: Project): Promise<readonly string[]> {
  const { stories } = await project.json("list");
  const ids = Array.isArray(stories) ? stories.map(({ id }) => String(id)) : [];
  const all = await Promise.all(ids.map((id) => project.json("logs", id, "--events")));
  return all
    .flatMap(({ events }) => (Array.isArray(events) ? events : []))
    .filter(({ type }) => type === "attempt-started")
    .map(({ delegation, attempt, data }) => `${delegation}.${attempt} ${readMachine(String(data.owner))}`)
    .toSorted();
}

function readMachine(owner: string): string {
  return owner.replace(/^machine (.*)\/.*$/, "$1");
}
