import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunPlace {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Another user than root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
}

const COMMAND_MS = 300_000;
const START_MS = 10_000;
const NETWORK = "10.77.0";

/** A switch in a network namespace of its own; it has the first address. */
export class Network {
  readonly #prefix = `ambit-${process.pid}`;
  readonly #machines: Machine[] = [];

  constructor() {
    ip("netns", "add", this.#switch);
    ip("-n", this.#switch, "link", "add", "br0", "type", "bridge");
    ip("-n", this.#switch, "link", "set", "br0", "up");
  }

  get #switch(): string {
    return `${this.#prefix}-switch`;
  }

  /** A machine on it: its own network, processes, name and files; it does not see the folders of the others. */
  async addMachine(name: string, hidden: readonly string[]): Promise<Machine> {
    const number = this.#machines.length + 1;
    const [space, port] = [`${this.#prefix}-${name}`, `port${number}`];
    const address = `${NETWORK}.${number}`;
    ip("netns", "add", space);
    ip("-n", this.#switch, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space);
    ip("-n", this.#switch, "link", "set", port, "master", "br0", "up");
    ip("-n", space, "addr", "add", `${address}/24`, "dev", "eth0");
    for (const device of ["lo", "eth0"]) ip("-n", space, "link", "set", device, "up");
    const machine = new Machine({
      name,
      address,
      space,
      root: await startRoot(space, name, hidden),
      connect: (isUp) => ip("-n", this.#switch, "link", "set", port, isUp ? "up" : "down"),
    });
    this.#machines.push(machine);
    return machine;
  }

  async remove(): Promise<void> {
    for (const machine of this.#machines) {
      await machine.powerOff();
      ip("netns", "del", machine.space);
    }
    ip("netns", "del", this.#switch);
  }
}

interface MachineParts {
  readonly name: string;
  readonly address: string;
  readonly space: string;
  readonly root: ChildProcess;
  readonly connect: (isUp: boolean) => void;
}

export class Machine {
  readonly #parts: MachineParts;

  constructor(parts: MachineParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  get address(): string {
    return this.#parts.address;
  }

  get space(): string {
    return this.#parts.space;
  }

  /** Its cable. */
  connect(isUp: boolean): void {
    this.#parts.connect(isUp);
  }

  start(words: readonly string[], { directory, environment, user }: RunPlace): ChildProcess {
    const pid = String(this.#findFirst());
    const who = user === undefined ? [] : ["--setuid", String(user.uid), "--setgid", String(user.gid)];
    const inside = ["--target", pid, "--mount", "--uts", "--pid", "--net", ...who, `--wdns=${directory}`];
    return spawn("nsenter", [...inside, ...words], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  }

  async run(words: readonly string[], place: RunPlace): Promise<Answer> {
    const child = this.start(words, place);
    if (child.stdout === null || child.stderr === null) throw new Error("it has no output");
    const closed = once(child, "close", { signal: AbortSignal.timeout(COMMAND_MS) });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await closed;
    return { status: child.exitCode, stdout, stderr };
  }

  /** All of its processes end at once. */
  async powerOff(): Promise<void> {
    const { root } = this.#parts;
    if (root.exitCode !== null || root.signalCode !== null) return;
    const ended = once(root, "exit");
    const first = findChild(root.pid ?? 0);
    if (first !== undefined) process.kill(first, "SIGKILL");
    await ended;
  }

  #findFirst(): number {
    const first = findChild(this.#parts.root.pid ?? 0);
    if (first === undefined) throw new Error(`the machine ${this.name} has no power`);
    return first;
  }
}

/** The first process of a machine takes in those whose parents have ended. */
async function startRoot(space: string, name: string, hidden: readonly string[]): Promise<ChildProcess> {
  const hide = hidden.map((folder) => `mount -t tmpfs none '${folder}'; `).join("");
  const line = `hostname ${name}; ${hide}while sleep 1; do :; done`;
  const apart = ["--mount", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child"];
  const root = spawn("ip", ["netns", "exec", space, "unshare", ...apart, "bash", "-c", line], {
    stdio: "ignore",
  });
  for (const end = Date.now() + START_MS; findChild(root.pid ?? 0) === undefined; await delay(20))
    if (Date.now() > end) throw new Error(`the machine ${name} did not start`);
  return root;
}

function findChild(pid: number): number | undefined {
  try {
    const found = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return found === "" ? undefined : Number(found.split(" ")[0]);
  } catch {
    return undefined;
  }
}

function ip(...words: string[]): void {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "inherit"] });
}
