import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentCli } from "../../../e2e/real-cli/harness/clis.ts";
import { handIn, type Step } from "../../../e2e/real-cli/scenarios/scripts.ts";
import type { Machine } from "./network.ts";
import { Person } from "./person.ts";
import { grantWorker, startServers } from "./server.ts";

export interface WalkPlaces {
  readonly folder: string;
  readonly server: Machine;
  readonly office: Machine;
  readonly north: Machine;
  readonly south: Machine;
  /** The agent programs of the two worker machines. */
  readonly clis: { readonly north: AgentCli; readonly south: AgentCli };
  readonly tell: (line: string) => void;
}

const LEASE_SECONDS = 10;
/** Beyond the lease, until an attempt that was lost runs elsewhere. */
const PROMPT_SECONDS = 5;
const GRACE_SECONDS = 1;
const STOP_SECONDS = 5 + GRACE_SECONDS;

/** Tells each step; returns what is wrong. */
export async function walk(places: WalkPlaces): Promise<readonly string[]> {
  const { folder, server, office, north, south, clis, tell } = places;
  const faults: string[] = [];
  const check = (holds: boolean, what: string): void => {
    tell(`${holds ? "ok   " : "FAULT"} ${what}`);
    if (!holds) faults.push(what);
  };
  const serverFolder = join(folder, "server");
  const servers = await startServers(server, serverFolder);
  const all = [clis.north, clis.south];
  const me = new Person(office, { folder: join(folder, "office"), clis: all, databaseUrl: servers.ownerUrl });
  me.makeProject(describeProject(servers.gitUrl("hub.git"), clis));
  await me.must("git", "push", "--quiet", servers.gitUrl("project.git"), "main");
  await me.must("ambit", "trust", "--yes");
  await me.must("ambit", "cluster", "init");
  await grantWorker(server, serverFolder);
  const workers = [north, south].map(
    (machine) =>
      new Person(machine, {
        folder: join(folder, machine.name),
        clis: all,
        databaseUrl: servers.workerUrl,
      }),
  );
  const [first, second] = workers;
  if (first === undefined || second === undefined) return ["no machines"];
  for (const person of workers) {
    await person.startModel(scripts);
    await person.clone(servers.gitUrl("project.git"));
    await person.must("ambit", "trust", "--yes");
    await person.startWorker("--slots", "2", "--pool", `${person.name},default`);
  }

  const ran = await me.run("ambit", "run", "Make a book @@S:lead", "--agent", "lead", "--id", "S-1");
  check(ran.status === 0, `the story is completed ${ran.status === 0 ? "" : ran.stdout + ran.stderr}`);
  const where = (await me.listAttempts("S-1")).join(", ");
  check(
    where === "S-1.1 north, S-1-DEL-001.1 south, S-1-DEL-001-DEL-001.1 north",
    `an agent delegates from north to south and back: ${where}`,
  );
  const files = await me.run(
    "git",
    "show",
    ...["one", "two", "three"].map((name) => `ambit/S-1:${name}.txt`),
  );
  check(files.stdout === "one\ntwo\nthree\n", "the work of all three is in the story's branch");
  for (const [person, names] of [
    [first, ["lead", "third"]],
    [second, ["second"]],
  ] as const) {
    const { asked, tools } = person.readModel();
    check(asked.join() === names.join(), `the model of ${person.name} was asked for ${asked.join(" and ")}`);
    check(tools, `${person.name} was offered the tools of ambit's MCP server`);
  }
  const log = await me.run("ambit", "logs", "S-1-DEL-001");
  check(log.status === 0 && log.stdout.length > 100, "the output of south is read in the office");
  for (const person of [me, first]) {
    const verified = await person.run("ambit", "audit", "--verify");
    check(verified.status === 0, `the journal is whole on ${person.name}`);
  }
  const doctor = await first.run("ambit", "doctor", "--json");
  const broken = JSON.parse(doctor.stdout).findings.filter(
    ({ name, ok }: { name: string; ok: boolean }) => !ok && ["cluster", "hub", "machines"].includes(name),
  );
  check(broken.length === 0, `the doctor of north finds the cluster well ${JSON.stringify(broken)}`);

  await pullCable({ me, workers, check });
  await stopRemote({ me, workers, check });
  await loseMachine({ me, workers, check });

  for (const person of [me, ...workers]) {
    check(person.git("status", "--porcelain") === "", `the checkout on ${person.name} is as it was`);
  }
  const isClear = await until(() => listHub(serverFolder).join() === "refs/ambit/project");
  check(isClear, `the hub keeps nothing of ended stories: ${listHub(serverFolder).join(" ")}`);
  return faults;

  function listHub(place: string): readonly string[] {
    return me
      .git(`--git-dir=${join(place, "git/hub.git")}`, "for-each-ref", "--format=%(refname)")
      .split("\n")
      .filter(Boolean);
  }
}

interface Scene {
  readonly me: Person;
  readonly workers: readonly Person[];
  readonly check: (holds: boolean, what: string) => void;
}

/** The agent ends before another one may begin, although nobody can tell its machine. */
async function pullCable({ me, workers, check }: Scene): Promise<void> {
  const { at, other } = await startSleeper(me, workers, "S-2");
  at.machine.connect(false);
  const cutAt = Date.now();
  let seenAt = cutAt;
  const isAgain = await until(async () => {
    if (await at.runs("sleep 7201")) seenAt = Date.now();
    return (await me.listAttempts("S-2")).includes(`S-2.2 ${other.name}`);
  });
  const seconds = (Date.now() - cutAt) / 1000;
  const begunAt = await me.readStart("S-2", 2);
  check(
    isAgain && seconds <= LEASE_SECONDS + PROMPT_SECONDS + 1,
    `what ${at.name} had runs on ${other.name} ${seconds.toFixed(1)} s after its cable was pulled (lease ${LEASE_SECONDS} s)`,
  );
  check(
    seenAt < begunAt,
    `${at.name} had ended its agent ${((begunAt - seenAt) / 1000).toFixed(1)} s before that`,
  );
  at.machine.connect(true);
  const stopped = await me.run("ambit", "stop", "S-2");
  check(stopped.status === 0, "the story can be stopped afterwards");
  const isBack = await until(async () => (await me.listMachines()).every(({ alive }) => alive));
  check(isBack, `${at.name} is back when its cable is`);
}

async function stopRemote({ me, workers, check }: Scene): Promise<void> {
  const { at } = await startSleeper(me, workers, "S-3");
  const from = Date.now();
  const stopping = me.run("ambit", "stop", "S-3");
  const isGone = await until(async () => !(await at.runs("sleep 7201")));
  const seconds = (Date.now() - from) / 1000;
  check(
    isGone && seconds <= STOP_SECONDS,
    `ambit stop ends the agent on ${at.name} after ${seconds.toFixed(1)} s`,
  );
  await stopping;
}

async function loseMachine({ me, workers, check }: Scene): Promise<void> {
  const { at, other } = await startSleeper(me, workers, "S-4");
  const from = Date.now();
  await at.machine.powerOff();
  const isAgain = await until(async () => (await me.listAttempts("S-4")).includes(`S-4.2 ${other.name}`));
  const seconds = (Date.now() - from) / 1000;
  check(
    isAgain && seconds <= LEASE_SECONDS + PROMPT_SECONDS + 1,
    `what ${at.name} had runs on ${other.name} ${seconds.toFixed(1)} s after it lost its power`,
  );
  await me.run("ambit", "stop", "S-4");
  const isEmpty = await until(async () => !(await other.runs("sleep 7201")));
  check(isEmpty, `no agent is left on ${other.name}`);
  check((await other.leave()) === 0, `${other.name} leaves when it is asked to`);
}

async function startSleeper(
  me: Person,
  workers: readonly Person[],
  story: string,
): Promise<{ readonly at: Person; readonly other: Person }> {
  await me.must("ambit", "run", "Sleep", "--id", story, "--detach", "--", "sleep", "7201");
  for (const end = Date.now() + 60_000; Date.now() < end; await delay(100))
    for (const [index, person] of workers.entries()) {
      const other = workers[1 - index];
      if (other !== undefined && (await person.runs("sleep 7201"))) return { at: person, other };
    }
  throw new Error(`${story} did not start`);
}

const scripts: Readonly<Record<string, readonly Step[]>> = {
  lead: [
    { write: { path: "one.txt", text: "one\n" } },
    { delegate: { tasks: [{ description: "Go on @@S:second", agent: "second" }] } },
    handIn("one.txt"),
  ],
  second: [
    { write: { path: "two.txt", text: "two\n" } },
    { delegate: { tasks: [{ description: "Go back @@S:third", agent: "third" }] } },
    handIn("two.txt"),
  ],
  third: [{ write: { path: "three.txt", text: "three\n" } }, handIn("three.txt")],
};

function describeProject(hub: string, clis: WalkPlaces["clis"]): Readonly<Record<string, string>> {
  const agent = ({ name, model }: AgentCli): string =>
    `---\nadapter: ${name}\nmodel: ${model}\n---\nWork with care.\n`;
  return {
    "readme.txt": "A project.\n",
    "ambit.yaml": `delegation:
  windDown: {graceSeconds: ${GRACE_SECONDS}}
cluster:
  hub: ${hub}
  lease: ${LEASE_SECONDS}
  pools: {north: [lead, third], south: [second]}
`,
    ".ambit/agents/lead.md": agent(clis.north),
    ".ambit/agents/second.md": agent(clis.south),
    ".ambit/agents/third.md": agent(clis.north),
  };
}

const UNTIL_MS = 60_000;

async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + UNTIL_MS; Date.now() < end; await delay(100)) if (await holds()) return true;
  return false;
}
