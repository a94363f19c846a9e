import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { systemClock } from "../base/clock.ts";
import { pathExists, readRegularText, writeFileAtomically } from "../base/files.ts";
import { readPlace, writePlace } from "./state/place-file.ts";

const OWNER_ONLY = 0o700;
/** Says which state folder the homes next to it belong to. */
const OWNER_FILE = ".state-folder";
const MAX_ABANDONED_MS = 30 * 24 * 60 * 60 * 1000;

const known = new Map<string, string>();

/** The folder with one home for each agent of this project that works or is parked; each is named after its delegation. */
export function getAgentHomes(stateDirectory: string): string {
  const noted = known.get(stateDirectory) ?? readPlace(stateDirectory)?.homes;
  if (noted === undefined) return join(stateDirectory, "agents");
  known.set(stateDirectory, noted);
  return noted;
}

export interface HomesWish {
  readonly stateDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * Chooses where the homes go and notes it: the user's own state folder, because agents distrust homes below a project or
 * below the folder for temporary files. The note keeps the place while sessions may be resumed there, whichever shell
 * the next supervisor comes from. Where the user has no such folder, the homes are in the project's state folder.
 */
export function settleAgentHomes({ stateDirectory, environment, home }: HomesWish): string {
  const place = readPlace(stateDirectory);
  if (place === undefined) return getAgentHomes(stateDirectory);
  const isNoted = place.homes !== undefined && basename(place.homes) === place.id;
  const wanted = isNoted ? place.homes : chooseHomes(environment, home, place.id);
  const isPossible = wanted !== undefined && makeOwnFolder(dirname(wanted));
  const homes = isPossible ? wanted : join(stateDirectory, "agents");
  known.set(stateDirectory, homes);
  if (place.homes !== homes) writePlace(stateDirectory, { ...place, homes });
  if (isPossible) dropAbandoned(dirname(homes));
  return homes;
}

/** A relative `XDG_STATE_HOME` is ignored, as its standard says. Undefined for a user whose home does not exist. */
function chooseHomes(environment: HomesWish["environment"], home: string, id: string): string | undefined {
  const stateHome = environment["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(stateHome)) return join(stateHome, "ambit", "agents", id);
  return pathExists(home) ? join(home, ".local", "state", "ambit", "agents", id) : undefined;
}

/** False if the folder cannot be made, or it and the one around it are not this user's own. */
function makeOwnFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
    for (const folder of [dirname(path), path]) {
      const stats = lstatSync(folder);
      if (!stats.isDirectory() || stats.uid !== process.geteuid?.()) return false;
      if (stats.mode % 0o100 !== 0) chmodSync(folder, OWNER_ONLY);
    }
    return true;
  } catch {
    // A user without a home that can be written, such as a service.
    return false;
  }
}

/** Records next to the homes which project they belong to. Call it after making a home. */
export function noteHomesOwner(stateDirectory: string): void {
  const owner = join(getAgentHomes(stateDirectory), OWNER_FILE);
  if (readRegularText(owner) !== stateDirectory) writeFileAtomically(owner, stateDirectory);
}

/** Removes it with the copy of the login in it, and the folder around the last one. */
export function removeAgentHome(stateDirectory: string, id: string): void {
  const homes = getAgentHomes(stateDirectory);
  if (!pathExists(homes)) return;
  rmSync(join(homes, id), { recursive: true, force: true });
  if (readdirSync(homes).every((name) => name === OWNER_FILE))
    rmSync(homes, { recursive: true, force: true });
}

/** Homes hold copies of logins, so those of a project that is gone do not stay. A moved project has a month to be used. */
function dropAbandoned(folder: string): void {
  for (const id of readdirSync(folder)) {
    const owner = join(folder, id, OWNER_FILE);
    const state = readRegularText(owner);
    if (state === undefined || !isAbandoned(owner, state, id)) continue;
    rmSync(join(folder, id), { recursive: true, force: true });
  }
}

function isAbandoned(owner: string, state: string, id: string): boolean {
  if (readPlace(state)?.id === id) return false;
  return systemClock.wallMs() - statSync(owner).mtimeMs > MAX_ABANDONED_MS;
}
