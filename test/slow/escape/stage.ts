import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { openRepository } from "../../../src/workspace/repository.ts";
import { createSandboxClone, type SandboxClone } from "../../../src/workspace/sandbox-clone.ts";

/** Canaries a worker must not reach, and the worker's own sandbox. Everything lies below one temporary folder. */
export interface Stage {
  readonly root: string;
  readonly secret: string;
  readonly checkout: string;
  readonly home: string;
  readonly other: string;
  readonly state: string;
  readonly clone: SandboxClone;
  readonly victim: number;
  readonly terminal: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly address: string;
  readonly socketPath: string;
  readonly abstractName: string;
  readonly shared: string;
  readonly hits: () => number;
  readonly damage: () => readonly string[];
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openStage(root: string, secret: string): Promise<Stage> {
  const checkout = join(root, "project");
  const home = join(root, "home");
  const other = join(root, "other");
  const shared = join("/dev/shm", `ambit-canary-${randomBytes(6).toString("hex")}`);
  writeCanaries({ checkout, home, other, shared, secret });
  const state = join(checkout, ".git/ambit");
  const clone = await makeClone(checkout, home, state);
  writeFileSync(join(state, "journal"), "canary\n");
  let hits = 0;
  const hit = (): void => {
    hits += 1;
  };
  const listeners = await listen(root, hit);
  const terminal = await openTerminal(root);
  const look = (): ReadonlyMap<string, Entry> => snapshot([root, shared], clone.folders.root);
  const before = look();
  cleanClone(clone);
  let victim = startVictim(secret, checkout);
  return {
    root,
    secret,
    checkout,
    home,
    other,
    state,
    clone,
    shared,
    ...listeners.places,
    get victim() {
      return victim.pid ?? 0;
    },
    terminal: terminal.path,
    hits: () => hits,
    damage: () => [
      ...differences(before, look()),
      ...(hits > 0 ? [`${String(hits)} connections`] : []),
      ...(victim.exitCode !== null || victim.signalCode !== null ? ["victim killed"] : []),
      ...findLeftovers(secret).map((pid) => `process ${String(pid)} left behind`),
    ],
    restore: async () => {
      for (const pid of findLeftovers(secret)) process.kill(pid, "SIGKILL");
      hits = 0;
      for (const path of [...before.keys()].filter((name) => name.endsWith("/")))
        mkdirSync(path, { recursive: true });
      restoreFiles(before, look());
      if (victim.exitCode !== null || victim.signalCode !== null) victim = startVictim(secret, checkout);
      cleanClone(clone);
    },
    close: async () => {
      victim.kill("SIGKILL");
      terminal.child.kill("SIGKILL");
      listeners.close();
      rmSync(shared, { force: true });
    },
  };
}

interface Canaries {
  readonly checkout: string;
  readonly home: string;
  readonly other: string;
  readonly shared: string;
  readonly secret: string;
}

function writeCanaries({ checkout, home, other, shared, secret }: Canaries): void {
  const files: Readonly<Record<string, string>> = {
    [join(home, ".ssh/id_rsa")]: secret,
    [join(home, ".profile")]: "canary\n",
    [join(home, ".gitconfig")]: "[user]\n\tname = u\n\temail = u@example.org\n",
    [join(other, "notes.txt")]: secret,
    [join(checkout, "README.md")]: "canary\n",
    [join(checkout, "untracked.env")]: secret,
    [join(checkout, ".ambit/.gitignore")]: "state/\n",
    [shared]: secret,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text, { mode: path.endsWith("id_rsa") ? 0o600 : 0o644 });
  }
  const git = (...words: string[]): void => {
    const { status, stderr } = spawnSync("git", words, {
      cwd: checkout,
      env: { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
  };
  git("init", "-q");
  git("add", "README.md", ".ambit/.gitignore");
  git("commit", "-qm", "Start");
  git("config", "canary.token", secret);
}

async function makeClone(checkout: string, home: string, state: string): Promise<SandboxClone> {
  const repository = await openRepository(checkout, { searchPath: process.env["PATH"] ?? "", home });
  const head = spawnSync("git", ["rev-parse", "HEAD"], { cwd: checkout, encoding: "utf8" }).stdout.trim();
  return createSandboxClone({ repository, stateDirectory: state, id: "probe", base: head });
}

interface Listeners {
  readonly places: Pick<Stage, "abstractName" | "address" | "socketPath" | "tcpPort" | "udpPort">;
  readonly close: () => void;
}

async function listen(root: string, hit: () => void): Promise<Listeners> {
  const socketPath = join(root, "agent.sock");
  const abstractName = `ambit-canary-${randomBytes(6).toString("hex")}`;
  const servers = await Promise.all([
    startServer({ host: "::", port: 0 }, hit),
    startServer({ path: socketPath }, hit),
  ]);
  const abstract = await listenAbstract(abstractName);
  const tcpAddress = servers[0]?.address();
  const udp: Socket = createSocket("udp4").on("message", hit);
  udp.bind(0, "0.0.0.0");
  await once(udp, "listening");
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((entry) => entry?.internal === false && entry.family === "IPv4");
  return {
    places: {
      socketPath,
      abstractName,
      tcpPort: typeof tcpAddress === "object" && tcpAddress !== null ? tcpAddress.port : 0,
      udpPort: udp.address().port,
      address: outer?.address ?? "127.0.0.1",
    },
    close: () => {
      for (const server of servers) server.close();
      udp.close();
      abstract.kill("SIGKILL");
    },
  };
}

/** Node itself cannot name such a socket in every version. */
async function listenAbstract(name: string): Promise<ChildProcess> {
  const code = `use Socket; $| = 1; socket(S, AF_UNIX, SOCK_STREAM, 0) or die; bind(S, pack("Sxa*", 1, "${name}")) or die; listen(S, 9); print "ready\\n"; sleep 100000`;
  const child = spawn("/usr/bin/perl", ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

async function startServer(place: object, hit: () => void): Promise<Server> {
  const server = createServer((socket) => {
    hit();
    socket.on("error", () => undefined).destroy();
  });
  server.listen(place);
  await once(server, "listening");
  return server;
}

/** Somebody else's process, with a secret in its environment. */
function startVictim(secret: string, cwd: string): ChildProcess {
  return spawn("/bin/sleep", ["100000"], { cwd, env: { TOKEN: secret }, stdio: "ignore" });
}

/** Somebody else's terminal. */
async function openTerminal(root: string): Promise<{ readonly path: string; readonly child: ChildProcess }> {
  const note = join(root, "terminal");
  const child = spawn("/usr/bin/script", ["-qfc", `tty > ${note}; exec sleep 100000`, "/dev/null"], {
    stdio: "ignore",
  });
  while (!existsSync(note) || readFileSync(note, "utf8") === "")
    await new Promise((resolve) => setTimeout(resolve, 10));
  return { path: readFileSync(note, "utf8").trim(), child };
}

interface Entry {
  readonly mode: number;
  readonly content: Buffer | undefined;
  readonly sign: string;
}

/** Files with rights and content; folders end in a slash. What belongs to the sandbox is not looked at. */
function snapshot(paths: readonly string[], without: string): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folder = path;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && path !== without) {
      found.set(stats.isDirectory() ? `${path}/` : path, entryOf(path, stats));
      if (stats.isDirectory()) waiting.push(...readdirSync(path).map((name) => join(folder, name)));
    }
  }
  return found;
}

function entryOf(path: string, stats: Stats): Entry {
  const mode = stats.mode & 0o7777;
  if (stats.isSymbolicLink()) return { mode, content: undefined, sign: readlinkSync(path) };
  if (!stats.isFile()) return { mode, content: undefined, sign: String(mode) };
  const content = readFileSync(path);
  return { mode, content, sign: `${String(mode)} ${createHash("sha256").update(content).digest("hex")}` };
}

function differences(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.sign !== after.get(path)?.sign);
}

function restoreFiles(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): void {
  for (const path of differences(before, after)) {
    const entry = before.get(path);
    if (entry === undefined) rmSync(path, { recursive: true, force: true });
    if (entry?.content !== undefined) {
      rmSync(path, { force: true });
      writeFileSync(path, entry.content);
    }
    if (entry !== undefined && existsSync(path)) chmodSync(path, entry.mode);
  }
}

function cleanClone(clone: SandboxClone): void {
  rmSync(join(clone.path, "probe"), { recursive: true, force: true });
  mkdirSync(join(clone.path, "probe"));
}

/** Daemons of a probe carry the secret in their arguments. */
function findLeftovers(secret: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(`daemon-${secret}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
