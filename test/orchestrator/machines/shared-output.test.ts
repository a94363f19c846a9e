import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { defaultLimits } from "../../../src/contract/limits.ts";
import { Board } from "../../../src/journal/machines.ts";
import type { PostgresStore } from "../../../src/journal/postgres/postgres-store.ts";
import { FollowedOutput } from "../../../src/orchestrator/machines/followed-output.ts";
import { ReceivedOutput } from "../../../src/orchestrator/machines/received-output.ts";
import { SentOutput } from "../../../src/orchestrator/machines/sent-output.ts";
import { until } from "../../e2e/project.ts";
import { addressOf, ClusterFixture, openRunningStory } from "../../journal/postgres/cluster-fixture.ts";
import { startPostgres, type PostgresService } from "../../services.ts";

let postgres: PostgresService;
let fixture: ClusterFixture;
let store: PostgresStore;
let board: Board;
let folder: string;
let sent: SentOutput;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  fixture = new ClusterFixture(postgres.url);
  await fixture.setUp();
  store = await fixture.open("worker");
  board = new Board(addressOf(postgres.url), fixture.project);
  folder = mkdtempSync(join(tmpdir(), "ambit-output-"));
  mkdirSync(place("there"), { recursive: true });
  writeFileSync(join(place("there"), "process.json"), "{}");
  sent = new SentOutput({ board, store, stateDirectory: join(folder, "there") });
  await openRunningStory(store, "S1");
});
afterEach(async () => {
  await sent.close();
  await board.close();
  await fixture.remove();
  rmSync(folder, { recursive: true, force: true });
});

const place = (machine: string): string => join(folder, machine, "logs", "S1", "attempt-1");
const say = (text: string, stream = "stdout"): void => appendFileSync(join(place("there"), stream), text);
const receive = (machine = "here"): ReceivedOutput =>
  new ReceivedOutput({ board, stateDirectory: join(folder, machine) });
const attempt = { delegation: "S1", attempt: 1 };
const heard = (machine = "here", stream = "stdout"): string =>
  readFileSync(join(place(machine), stream), "utf8");

it("whole lines are sent while the agent writes, and the rest at its end", async () => {
  sent.begin("S1", 1);
  say("one\ntw");
  await until("the first line is there", async () => {
    await receive().bring(attempt);
    return existsSync(join(place("here"), "stdout"));
  });
  expect(heard()).toBe("one\n");
  say("o");
  say("trouble\n", "stderr");
  await sent.sendBefore({
    type: "attempt-ended",
    story: "S1",
    delegation: "S1",
    attempt: 1,
    data: { reason: "exited", exitCode: 0, code: null, durationMs: 1 },
  });
  await receive().bring(attempt);
  expect([heard(), heard("here", "stderr")]).toEqual(["one\ntwo", "trouble\n"]);
});

it("a line longer than a piece is sent whole, and sending continues after the log was emptied", async () => {
  const long = `${"x".repeat(300_000)}\n`;
  sent.begin("S1", 1);
  say(`a\n${long}b\n`);
  await sent.end("S1", 1);
  const [row] = await fixture.sql(
    `SELECT max(size) AS size FROM ambit.output WHERE project = '${fixture.project}'`,
  );
  expect(Number(row?.["size"])).toBeGreaterThanOrEqual(long.length);
  sent.begin("S1", 2);
  const second = join(folder, "there", "logs", "S1", "attempt-2");
  mkdirSync(second);
  writeFileSync(join(second, "stdout"), "before\nit\n");
  const two = { delegation: "S1", attempt: 2 };
  await until("it is sent", async () => (await board.readOutput(two, 0)).length === 1);
  writeFileSync(join(second, "stdout"), "new\n");
  await sent.end("S1", 2);
  await receive().bring(attempt);
  await receive().bring(two);
  expect(heard()).toBe(`a\n${long}b\n`);
  expect(readFileSync(join(folder, "here", "logs", "S1", "attempt-2", "stdout"), "utf8")).toBe(
    "before\nit\nnew\n",
  );
});

it("each piece is sent again until the database has it", async () => {
  let failures = 2;
  const flaky = {
    keepOutput: async (chunk: Parameters<Board["keepOutput"]>[0]): Promise<void> => {
      await board.keepOutput(chunk);
      // The answer is lost: the piece may be there or not.
      if (failures > 0) throw new Error(`lost ${(failures -= 1)}`);
    },
  };
  const other = new SentOutput({ board: flaky, store, stateDirectory: join(folder, "there") });
  other.begin("S1", 1);
  say("once\n");
  await until("it was tried again", () => failures === 0);
  say("twice\n");
  await until("the next piece is there, too", async () => (await board.readOutput(attempt, 0)).length === 2);
  await other.close();
  await receive().bring(attempt);
  expect(heard()).toBe("once\ntwice\n");
});

it("each piece is written once, even if several processes bring it or a killed one left text behind", async () => {
  sent.begin("S1", 1);
  for (let round = 0; round < 5; round += 1) {
    say(`${round}\n`.repeat(20_000));
    await sent.sendBefore({
      type: "attempt-lost",
      story: "S1",
      delegation: "S1",
      attempt: 1,
      data: { reason: "test" },
    });
    await Promise.all([receive(), receive(), receive()].map((one) => one.bring(attempt)));
    appendFileSync(join(place("here"), "stdout"), "left by a killed process");
  }
  say("end\n");
  await sent.end("S1", 1);
  await receive().bring(attempt);
  expect(heard()).toBe(heard("there"));
});

it("the files of an attempt that ran on this machine are left alone", async () => {
  sent.begin("S1", 1);
  say("mine\n");
  await sent.end("S1", 1);
  await receive("there").bring(attempt);
  expect(heard("there")).toBe("mine\n");
  expect(existsSync(join(place("there"), "received.json"))).toBe(false);
});

it("output is brought as it comes, and never written outside the folder of a known delegation", async () => {
  const follower = new FollowedOutput({ board, store, received: receive() });
  follower.follow();
  try {
    const chunk = { attempt: 1, number: 1, stream: "stdout", before: 0, text: "out\n" };
    await board.keepOutput({ ...chunk, delegation: "../../../outside" });
    await board.keepOutput({ ...chunk, delegation: "S1", stream: "../escape" });
    await board.keepOutput({ ...chunk, delegation: "S1", number: 2 });
    await until("it is there", () => existsSync(join(place("here"), "stdout")));
    expect(existsSync(join(folder, "outside"))).toBe(false);
    expect(existsSync(join(place("here"), "..", "escape"))).toBe(false);
  } finally {
    follower.stop();
  }
});

it("workers can add output and readers can read it, and neither can change it", async () => {
  await store.openStory({ id: "S2", kind: "story", title: "t", agent: "a", limits: defaultLimits });
  const as = async (role: string, statement: string): Promise<string> => {
    try {
      await fixture.sql(`BEGIN; SET LOCAL ROLE ${role}; ${statement}; COMMIT`);
      return "done";
    } catch (error) {
      await fixture.sql("ROLLBACK");
      return error instanceof Error && "code" in error ? String(error.code) : String(error);
    }
  };
  const chunk = JSON.stringify({
    delegation: "S2",
    attempt: 1,
    number: 1,
    stream: "stdout",
    before: 0,
    size: 0,
  });
  const keep = `SELECT ambit.keep_output('${fixture.project}', '${chunk}'::json, ''::bytea)`;
  expect(await as("ambit_worker", keep)).toBe("done");
  expect(await as("ambit_reader", "SELECT count(*) FROM ambit.output")).toBe("done");
  expect(await as("ambit_reader", keep)).toBe("CLUSTER_FORBIDDEN");
  expect(await as("ambit_worker", "DELETE FROM ambit.output")).toBe("CLUSTER_FORBIDDEN");
  expect(await as("ambit_worker", "UPDATE ambit.gates SET until_ms = 0")).toBe("CLUSTER_FORBIDDEN");
});
