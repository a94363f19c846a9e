import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  readStateValues,
  type TrackedField,
  trackedFields,
} from "../../../src/tasks/model/tracked-fields.ts";
import { parseArchive, parseState } from "../../../src/tasks/files/state-file.ts";
import { findDisagreements } from "../../tasks/compare-records.ts";
import type { Random } from "../random.ts";
import { editByHand } from "./hand-edits.ts";
import { callOf, fieldsSetBy, pickCall, pickMove, type StoreCall } from "./store-calls.ts";
import { openStore, readJournal, type TaskWorld } from "./task-world.ts";

export interface SequenceCounts {
  changes: number;
  edits: number;
  commits: number;
  switches: number;
  kills: number;
  checks: number;
  conflicts: number;
}

/** What a person may rely on, on one branch. */
interface Branch {
  /** `<id> <field>` to the value that was written by hand last. */
  readonly fields: Map<string, string>;
  readonly notes: Set<string>;
}

interface Sequence {
  readonly world: TaskWorld;
  readonly random: Random;
  readonly counts: SequenceCounts;
  readonly branches: Map<string, Branch>;
  /** The first word of the title of the one task that may have a number. */
  readonly owners: Map<string, string>;
  readonly steps: string[];
  readonly forgetsIntents: boolean;
  current: string;
  serial: number;
}

export interface SequenceFacts {
  readonly random: Random;
  readonly counts: SequenceCounts;
  /** The control: whatever a killed process meant to do is forgotten, which the checks must notice. */
  readonly forgetsIntents: boolean;
}

export async function runSequence(
  world: TaskWorld,
  { random, counts, forgetsIntents }: SequenceFacts,
): Promise<void> {
  const branches = new Map([["main", { fields: new Map<string, string>(), notes: new Set<string>() }]]);
  const sequence: Sequence = {
    world,
    random,
    counts,
    branches,
    owners: new Map(),
    steps: [],
    forgetsIntents,
    current: "main",
    serial: 0,
  };
  try {
    for (const word of ["A", "B", "C", "D"])
      await openStore(world).create({ title: `T0${word} task`, effort: "1 hour" });
    for (let step = 6 + random.below(10); step > 0; step -= 1) await takeStep(sequence);
    await check(sequence);
  } catch (error) {
    throw new Error(`after ${sequence.steps.join(" · ")}`, { cause: error });
  }
}

async function takeStep(sequence: Sequence): Promise<void> {
  const { random } = sequence;
  sequence.serial += 1;
  const way = random.below(20);
  if (way < 7) return change(sequence);
  if (way < 12) return handEdit(sequence);
  if (way < 14) return commit(sequence);
  if (way < 16) return switchBranch(sequence);
  if (way < 18) return kill(sequence);
  return check(sequence);
}

async function change(sequence: Sequence): Promise<void> {
  const store = openStore(sequence.world);
  const call = pickCall(store, sequence.random, sequence.serial);
  sequence.steps.push(JSON.stringify(call));
  const done = await callOf(store, call);
  sequence.counts.changes += 1;
  sequence.counts.conflicts += done.conflicts.length;
  if (done.status !== "failed") forget(sequence, call);
}

function forget(sequence: Sequence, call: StoreCall): void {
  for (const field of fieldsSetBy(call)) branchOf(sequence).fields.delete(field);
}

function branchOf({ branches, current }: Sequence): Branch {
  const branch = branches.get(current);
  if (branch === undefined) throw new Error(`no branch ${current}`);
  return branch;
}

async function handEdit(sequence: Sequence): Promise<void> {
  const { world, random, serial } = sequence;
  const edit = editByHand(world.read("specs/TODO.md"), random, serial);
  if (edit === undefined) return;
  world.write("specs/TODO.md", edit.text);
  sequence.counts.edits += 1;
  const { fields, notes } = branchOf(sequence);
  sequence.steps.push(`edit ${JSON.stringify(edit.expected ?? edit.note ?? edit.removed?.id)}`);
  if (edit.expected !== undefined)
    fields.set(`${edit.expected.id} ${edit.expected.field}`, edit.expected.value);
  if (edit.note !== undefined) notes.add(edit.note);
  if (edit.removed !== undefined) {
    for (const note of notes) if (edit.removed.text.includes(note)) notes.delete(note);
    for (const key of fields.keys()) if (key.startsWith(`${edit.removed.id} `)) fields.delete(key);
  }
  await Promise.resolve();
}

async function commit(sequence: Sequence): Promise<void> {
  const { world } = sequence;
  sequence.steps.push("commit");
  world.git("add", "--", ...(world.read("specs/state.json") === "" ? [".gitignore"] : ["specs"]));
  world.git("commit", "-q", "--allow-empty", "-m", `Step ${sequence.serial}`);
  sequence.counts.commits += 1;
  await Promise.resolve();
}

async function switchBranch(sequence: Sequence): Promise<void> {
  const { world, random, branches } = sequence;
  await commit(sequence);
  const others = [...branches.keys()].filter((name) => name !== sequence.current);
  const isNew = others.length === 0 || (others.length < 3 && random.chance(0.4));
  const name = isNew ? `branch-${sequence.serial}` : random.pick(others);
  sequence.steps.push(`switch ${name}`);
  world.git("switch", "-q", ...(isNew ? ["-c"] : []), name);
  const { fields, notes } = branchOf(sequence);
  if (isNew) branches.set(name, { fields: new Map(fields), notes: new Set(notes) });
  sequence.current = name;
  sequence.counts.switches += 1;
}

/** A change in another process that is killed by itself after some effect, or by us after some time. */
async function kill(sequence: Sequence): Promise<void> {
  const { world, random } = sequence;
  const store = openStore(world);
  const call =
    (random.chance(0.4) ? pickMove(store, random) : undefined) ?? pickCall(store, random, sequence.serial);
  const isTimed = random.chance(0.3);
  const die = isTimed ? "" : String(random.below(7));
  sequence.steps.push(`kill ${die} ${JSON.stringify(call)}`);
  const words = [process.argv[1] ?? "", "--worker", world.root, "--call", JSON.stringify(call), "--die", die];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  if (isTimed) {
    await once(child.stdout, "data");
    await wait(random.below(40));
    child.kill("SIGKILL");
  }
  const [, signal] = await ended;
  if (signal === "SIGKILL") sequence.counts.kills += 1;
  if (sequence.forgetsIntents) rmSync(join(world.root, ".ambit/tasks/intent.json"), { force: true });
  forget(sequence, call);
}

async function check(sequence: Sequence): Promise<void> {
  const { world } = sequence;
  sequence.steps.push("check");
  const refreshed = await openStore(world).refresh();
  sequence.counts.conflicts += refreshed.conflicts.length;
  sequence.counts.checks += 1;
  const problems = [
    ...findDisagreements(world.root, readJournal(world)),
    ...lostEdits(sequence),
    ...reusedNumbers(sequence),
  ];
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

function lostEdits(sequence: Sequence): readonly string[] {
  const { world } = sequence;
  const { fields, notes } = branchOf(sequence);
  const { tasks } = parseState(textOrNone(world, "specs/state.json"), "state.json");
  const { tasks: archived } = parseArchive(textOrNone(world, "specs/archive/state.json"), "archive");
  const everything = world.read("specs/TODO.md") + world.read("specs/archive/state.json");
  const lost = [...notes].filter((note) => !everything.includes(note)).map((note) => `lost the note ${note}`);
  for (const [key, value] of fields) {
    const [id = "", field = ""] = key.split(" ");
    const raw = tasks.get(id);
    const name = trackedFields.find((tracked): tracked is TrackedField => tracked === field);
    if (raw === undefined && !archived.has(id)) lost.push(`task ${id}, edited by hand, is gone`);
    if (raw === undefined || name === undefined) continue;
    const found = readStateValues(raw)[name];
    if (found !== value) lost.push(`${key} was "${value}" by hand and is "${found}"`);
  }
  return lost;
}

function reusedNumbers({ world, owners }: Sequence): readonly string[] {
  const { tasks } = parseState(textOrNone(world, "specs/state.json"), "state.json");
  const { tasks: archived } = parseArchive(textOrNone(world, "specs/archive/state.json"), "archive");
  const problems: string[] = [];
  for (const [id, raw] of [...tasks, ...archived]) {
    const [owner = ""] = String(raw["title"]).split(" ");
    const known = owners.get(id) ?? owner;
    owners.set(id, known);
    if (known !== owner) problems.push(`number ${id} belonged to ${known} and belongs to ${owner}`);
  }
  return problems;
}

function textOrNone(world: TaskWorld, path: string): string | undefined {
  const text = world.read(path);
  return text === "" ? undefined : text;
}
