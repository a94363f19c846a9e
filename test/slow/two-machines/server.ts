import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findPrograms, findServerUser } from "../../services.ts";
import type { Machine, RunPlace } from "./network.ts";

const START_MS = 30_000;
/** Only ever used between namespaces that this run has made. */
const [OWNER, WORKER] = ["me", "worker"];
const PASSWORD = "between-namespaces";

export interface Servers {
  /** The address for the person who coordinates, and for worker machines. */
  readonly ownerUrl: string;
  readonly workerUrl: string;
  readonly gitUrl: (name: string) => string;
}

/** PostgreSQL with passwords and a git server, as an administrator would start them. */
export async function startServers(machine: Machine, folder: string): Promise<Servers> {
  const { address } = machine;
  const place = await startDatabase(machine, folder);
  const sql = [
    `CREATE ROLE ${OWNER} LOGIN SUPERUSER PASSWORD '${PASSWORD}'`,
    `CREATE ROLE ${WORKER} LOGIN PASSWORD '${PASSWORD}'`,
  ];
  for (const line of sql) await mustRun(machine, [...psql(folder), "-c", line], place);
  await mustRun(machine, [program("createdb"), "-h", folder, "-U", "postgres", "-O", OWNER, "ambit"], place);
  const git = join(folder, "git");
  mkdirSync(git);
  for (const name of ["hub.git", "project.git"])
    execFileSync("git", ["init", "--quiet", "--bare", join(git, name)]);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: folder };
  machine.start(
    [
      "git",
      "daemon",
      "--reuseaddr",
      `--listen=${address}`,
      "--export-all",
      "--enable=receive-pack",
      `--base-path=${git}`,
    ],
    { directory: folder, environment },
  );
  const urlOf = (user: string): string => `postgresql://${user}:${PASSWORD}@${address}/ambit`;
  return { ownerUrl: urlOf(OWNER), workerUrl: urlOf(WORKER), gitUrl: (name) => `git://${address}/${name}` };
}

/** After `ambit cluster init`: the role is there then. */
export async function grantWorker(machine: Machine, folder: string): Promise<void> {
  await mustRun(
    machine,
    [...psql(folder), "-c", `GRANT ambit_worker TO ${WORKER}`],
    databasePlace(folder, findUser()),
  );
}

async function startDatabase(machine: Machine, folder: string): Promise<RunPlace> {
  const user = findUser();
  chownSync(folder, user.uid, user.gid);
  const place = databasePlace(folder, user);
  const data = join(folder, "data");
  await mustRun(
    machine,
    [
      program("initdb"),
      "-D",
      data,
      "-U",
      "postgres",
      "--auth-local=trust",
      "--auth-host=scram-sha-256",
      "-E",
      "UTF8",
      "--locale=C",
    ],
    place,
  );
  appendFileSync(join(data, "pg_hba.conf"), "host all all 10.77.0.0/24 scram-sha-256\n");
  const settings = ["-k", folder, "-c", `listen_addresses=${machine.address}`];
  machine.start([program("postgres"), "-D", data, ...settings], place);
  for (const end = Date.now() + START_MS; ; await delay(100)) {
    const { status } = await machine.run([...psql(folder), "-c", "SELECT 1"], place);
    if (status === 0) return place;
    if (Date.now() > end) throw new Error("PostgreSQL did not start");
  }
}

function databasePlace(folder: string, user: { uid: number; gid: number }): RunPlace {
  return { directory: folder, environment: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" }, user };
}

function psql(folder: string): readonly string[] {
  return [program("psql"), "-q", "-h", folder, "-U", "postgres", "-d", "postgres"];
}

async function mustRun(machine: Machine, words: readonly string[], place: RunPlace): Promise<void> {
  const { status, stderr } = await machine.run(words, place);
  if (status !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
}

function program(name: string): string {
  return join(findPrograms(), name);
}

function findUser(): { readonly uid: number; readonly gid: number } {
  const user = findServerUser();
  if (user === undefined) throw new Error("namespaces are made as root");
  return user;
}
