import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/journal/open-store.ts";
import { openReader } from "../../src/journal/open-reader.ts";
import { storeFile } from "../../src/journal/store-file.ts";
import { Database } from "../../src/journal/sqlite/database.ts";
import { emptyView, readSeenEvent, seeEvent } from "../../src/reports/story-view.ts";
import type {
  AuditPage,
  ChainCheck,
  DelegationDetail,
  Health,
  Inbox,
  LogPage,
  Project,
  StoryDocument,
  StoryCost,
  StoryList,
  Timeline,
} from "../../src/app/view-types.ts";
import { makeBigStore } from "./big-store.ts";
import { serveProject, temporaryProject, type Served } from "./served-project.ts";
import { end } from "../reports/fill-store.ts";
import { openRun } from "./write-events.ts";
import { ownStoreFile } from "../own-store-file.ts";

const SMALL = { delegations: 130, events: 3000, others: 3 } as const;

function noEvent(): never {
  throw new TypeError("no event");
}

let template = "";

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), "ambit-dashboard-"));
  await makeBigStore(join(template, "ambit.db"), SMALL);
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

function projectWithRun(): string {
  const root = temporaryProject();
  copyFileSync(join(template, "ambit.db"), ownStoreFile(root));
  return root;
}

function serveBigRun(): Promise<Served> {
  return serveProject(projectWithRun());
}

it("home lists work that needs a person first, then running stories, then history", async () => {
  const root = projectWithRun();
  const store = openStore(ownStoreFile(root));
  onTestFinished(() => store.close());
  await openRun(store, "S-now", ["a"]);
  const served = await serveProject(root);
  const { runs, hasMore } = await served.read<StoryList>("/api/runs");
  expect(runs.map(({ id, group }) => [group, id])).toEqual([
    ["needsYou", "S-big"],
    ["working", "S-now"],
    ["done", "S-old3"],
    ["done", "S-old2"],
    ["done", "S-old1"],
  ]);
  expect(hasMore).toBe(false);
  const fewer = await served.read<StoryList>("/api/runs?limit=1");
  // Open stories are never left out.
  expect([fewer.runs.map(({ id }) => id), fewer.hasMore]).toEqual([["S-big", "S-now"], true]);
});

it("home shows of a failed check what was found, not every line of it", async () => {
  const root = temporaryProject();
  const store = openStore(ownStoreFile(root));
  onTestFinished(() => store.close());
  await openRun(store, "S-red", []);
  const summary = "`npm test` ended with exit code 1.\n  Failure:\n    not ok 1\nIts work is kept.";
  await end(store, "S-red", { outcome: "partial", summary });
  const { runs } = await (await serveProject(root)).read<StoryList>("/api/runs");
  expect(runs.map((run) => run.summary)).toEqual(["`npm test` ended with exit code 1."]);
});

it("health tells what is absent from what is ready", async () => {
  const served = await serveProject(temporaryProject());
  const { findings } = await served.read<Health>("/api/health");
  const agents = findings.filter(({ name }) => /^agent (?:claude|codex|gemini|opencode)$/.test(name));
  expect(agents).toHaveLength(4);
  for (const { detail, isAbsent } of agents) expect(isAbsent).toBe(detail === "not installed");
});

it("a story's tree shows the state, percentage and estimate of each delegation (R85)", async () => {
  const served = await serveBigRun();
  const { nodes, run } = await served.read<StoryDocument>("/api/runs/S-big");
  expect(nodes).toHaveLength(131);
  expect(nodes[0]).toMatchObject({ id: "S-big", label: "", parent: null, depth: 0 });
  for (const [index, node] of nodes.entries()) {
    if (node.parent !== null) expect(nodes.findIndex(({ id }) => id === node.parent)).toBeLessThan(index);
  }
  const ended = nodes.filter(({ depth, endedAtMs }) => depth > 0 && endedAtMs !== null);
  expect(run.ended).toBe(ended.length);
  expect(nodes[0]?.percent).toBe(Math.floor((100 * ended.length) / 130));
  const leaf = nodes.find(({ state }) => state === "completed");
  expect(leaf).toMatchObject({ percent: 100, criteriaPassed: 2, criteriaTotal: 2, filesChanged: 2 });
  const asking = nodes.find(({ state }) => state === "needs you");
  expect(asking).toMatchObject({ stateWord: "needs you", questions: 1, percent: 0 });
  const estimates = nodes.map(({ estimatedMs }) => estimatedMs);
  expect(estimates).toContain(1.5 * 3_600_000);
  expect(estimates).toContain(null);
  const total = nodes.reduce((sum, { microUsd }) => sum + microUsd, 0);
  expect([nodes[0]?.totalMicroUsd, run.microUsd]).toEqual([total, total]);
});

it("the tree has the same delegations, labels and cost as the tree in the terminal", async () => {
  const served = await serveBigRun();
  const { nodes } = await served.read<StoryDocument>("/api/runs/S-big");
  const reader = openReader(storeFile(served.root));
  const { events } = (await reader?.eventsAfter(0, 10_000, { story: "S-big" })) ?? { events: [] };
  await reader?.close();
  const seen = events.map(({ body }) => readSeenEvent(JSON.parse(body)) ?? noEvent());
  const view = seen.reduce(seeEvent, emptyView("S-big"));
  const facts = [...view.nodes.values()].map((node) => [
    node.id,
    node.label,
    node.microUsd,
    node.workers.length,
  ]);
  const workersOf = (id: string): number => nodes.filter(({ parent }) => parent === id).length;
  const shown = nodes.map((node) => [node.id, node.label, node.microUsd, workersOf(node.id)]);
  expect(new Set(shown.map(String))).toEqual(new Set(facts.map(String)));
});

it("the timeline shows every period of waiting, working and retrying, without gaps", async () => {
  const served = await serveBigRun();
  const { rows, fromMs, toMs } = await served.read<Timeline>("/api/runs/S-big/timeline");
  expect(rows).toHaveLength(131);
  for (const { segments } of rows) {
    for (const [index, segment] of segments.entries()) {
      const next = segments[index + 1];
      expect(segment.toMs).toBe(next === undefined ? segment.toMs : next.fromMs);
      expect(segment.fromMs).toBeGreaterThanOrEqual(fromMs);
      expect(segment.toMs ?? toMs).toBeLessThanOrEqual(toMs);
    }
    expect(segments.slice(0, 2).map(({ kind }) => kind)).toEqual(["queued", "running"]);
  }
  const kinds = new Set(rows.flatMap(({ segments }) => segments.map(({ kind }) => kind)));
  expect(kinds).toEqual(new Set(["queued", "running", "workers", "person", "retry", "checking"]));
});

it("cost by task, agent and model all add up to the total, and so does the burn-down", async () => {
  const served = await serveBigRun();
  const cost = await served.read<StoryCost>("/api/runs/S-big/cost");
  const sum = (parts: readonly { readonly microUsd: number }[]): number =>
    parts.reduce((total, { microUsd }) => total + microUsd, 0);
  expect(cost.microUsd).toBeGreaterThan(0);
  expect([sum(cost.shares), sum(cost.byAgent), sum(cost.byModel), sum(cost.depths)]).toEqual(
    Array.from({ length: 4 }, () => cost.microUsd),
  );
  expect(cost.burn.at(-1)?.microUsd).toBe(cost.microUsd);
  expect(cost.burn.length).toBeLessThanOrEqual(400);
  const rising = cost.burn.every((point, index) => point.microUsd >= (cost.burn[index - 1]?.microUsd ?? 0));
  expect(rising).toBe(true);
  expect(cost.source).toBe("estimated");
  const project = await served.read<Project>("/api/project");
  expect(project).toMatchObject({ microUsd: cost.microUsd, isSupervised: false });
});

it("the inbox says how each entry can be answered", async () => {
  const served = await serveBigRun();
  const { entries } = await served.read<Inbox>("/api/inbox");
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) {
    expect(entry.can).toEqual(entry.kind === "clarification" ? ["reply"] : ["approve", "reject"]);
    expect(entry.label).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

it("a delegation's page shows criteria with evidence, attempts, limits and possible actions", async () => {
  const served = await serveBigRun();
  const { nodes } = await served.read<StoryDocument>("/api/runs/S-big");
  const partial = nodes.find(({ state }) => state === "partial");
  const detail = await served.read<DelegationDetail>(`/api/delegations/${partial?.id ?? ""}`);
  expect(detail.criteria.map(({ verdict, evidence }) => [verdict, evidence])).toEqual([
    ["failed", "exit code 1: 2 tests failed"],
    ["passed", "exit code 0 after 3.2 s"],
  ]);
  expect(detail).toMatchObject({ run: "S-big", can: ["resume", "retry"], handBack: { status: "valid" } });
  expect(detail.limits.find(({ name }) => name === "cost")).toMatchObject({ of: 400_000 });
  expect(detail.cost.byModel.reduce((sum, { microUsd }) => sum + microUsd, 0)).toBe(detail.node.microUsd);
  const retried = nodes.find(({ attempt, depth }) => attempt === 2 && depth === 3);
  const other = await served.read<DelegationDetail>(`/api/delegations/${retried?.id ?? ""}`);
  expect(other.attempts.map(({ number, reason }) => [number, reason])).toEqual([
    [1, "the return was cut off"],
    [2, ""],
  ]);
  expect(other.can).toEqual(["message", "stop"]);
});

it("a return is shown as written, with its problems", async () => {
  const served = await serveBigRun();
  const id = "S-big-DEL-001";
  const folder = join(served.root, ".git", "ambit", "logs", id, "attempt-1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "return.json"), '{"status":"completed","summary":""}');
  const { handBack } = await served.read<DelegationDetail>(`/api/delegations/${id}`);
  expect(handBack).toMatchObject({ status: "invalid", raw: '{"status":"completed","summary":""}' });
  expect(handBack.problems.map(({ code }) => code)).toContain("MISSING_FIELD:metadata");
});

it("answers are compressed for a browser that asks for it", async () => {
  const served = await serveBigRun();
  const cookie = await served.signIn();
  const plain = await served.ask("/api/runs/S-big", { headers: { cookie } });
  const small = await served.ask("/api/runs/S-big", { headers: { cookie, "accept-encoding": "gzip" } });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(small.headers["content-encoding"]).toBe("gzip");
  expect(small.body.length).toBeLessThan(plain.body.length / 3);
});

it("a log has its program's colours as names, and the time of its lines", async () => {
  const served = await serveBigRun();
  const id = "S-big-DEL-001";
  const folder = join(served.root, ".git/ambit/logs", id, "attempt-1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "stdout"), "\u001b[31mred\u001b[0m \u001b[2Jplain\nnext\nlast\n");
  writeFileSync(join(folder, "stdout.times"), "1 5000\n3 9000\n");
  const url = `/api/delegations/${id}/log?attempt=1&stream=stdout`;
  const whole = await served.read<LogPage>(url);
  expect(whole).toMatchObject({
    lines: ["red plain", "next", "last"],
    colours: { 0: [{ text: "red", tone: "red" }, { text: " plain" }] },
    times: [
      { line: 1, atMs: 5000 },
      { line: 3, atMs: 9000 },
    ],
    firstLine: 1,
  });
  const next = await served.read<LogPage>(
    `${url}&from=${"\u001b[31mred\u001b[0m \u001b[2Jplain\n".length}&first=2`,
  );
  expect(next).toMatchObject({ lines: ["next", "last"], firstLine: 2, times: [{ line: 1 }, { line: 3 }] });
  const cookie = await served.signIn();
  const saved = await served.ask(`/api/delegations/${id}/log/download?attempt=1`, { headers: { cookie } });
  expect(saved.body).toBe("red plain\nnext\nlast\n");
});

it("a log is read in pages of whole lines, backwards and forwards, and a link in its place is not followed", async () => {
  const served = await serveBigRun();
  const id = "S-big-DEL-001";
  const folder = join(served.root, ".git", "ambit", "logs", id, "attempt-1");
  mkdirSync(folder, { recursive: true });
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} of the log`);
  writeFileSync(join(folder, "stdout"), `${lines.join("\n")}\nunfinished`);
  const page = (query: string): Promise<LogPage> =>
    served.read<LogPage>(`/api/delegations/${id}/log?stream=stdout${query}`);
  const pages = [await page("")];
  while ((pages[0]?.from ?? 0) > 0) pages.unshift(await page(`&to=${pages[0]?.from ?? 0}`));
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.flatMap((one) => one.lines)).toEqual(lines);
  const end = pages.at(-1)?.to ?? 0;
  expect(await page(`&from=${end}`)).toMatchObject({ lines: [], to: end, isLive: true });
  appendFileSync(join(folder, "stdout"), " no more\n");
  expect((await page(`&from=${end}`)).lines).toEqual(["unfinished no more"]);
  expect((await page("")).firstLine).toBe(20_001 - ((await page("")).lines.length - 1));
  const linked = await page("&line=15000");
  expect(linked.lines[15_000 - linked.firstLine]).toBe("line 14999 of the log");
  const cookie = await served.signIn();
  const whole = await served.ask(`/api/delegations/${id}/log/download?stream=stdout`, {
    headers: { cookie },
  });
  expect(whole.body.split("\n").length).toBeGreaterThan(20_000);
  expect(whole.headers["content-disposition"]).toContain("attachment");
  const forwards = await page("&from=0");
  expect(forwards.lines[0]).toBe("line 0 of the log");
  symlinkSync("/etc/passwd", join(folder, "stderr"));
  const link = await served.read<LogPage>(`/api/delegations/${id}/log?stream=stderr`);
  expect(link).toMatchObject({ lines: [], size: 0 });
});

it("a line longer than a page comes in pieces from either side, without gaps", async () => {
  const served = await serveBigRun();
  const folder = join(served.root, ".git", "ambit", "logs", "S-big-DEL-001", "attempt-1");
  mkdirSync(folder, { recursive: true });
  const text = `first\n${"x".repeat(300_000)}\nlast\n`;
  writeFileSync(join(folder, "stdout"), text);
  const page = (query: string): Promise<LogPage> =>
    served.read<LogPage>(`/api/delegations/S-big-DEL-001/log?stream=stdout${query}`);
  let back = 0;
  for (let to = text.length; to > 0; back += 1) to = (await page(`&to=${to}`)).from;
  let forth = 0;
  for (let from = 0; from < text.length; forth += 1) from = (await page(`&from=${from}`)).to;
  expect([back, forth]).toEqual([6, 6]);
});

it("the journal is paged by number in both directions, and every matching event is found once", async () => {
  const served = await serveBigRun();
  const page = (query: string): Promise<AuditPage> => served.read<AuditPage>(`/api/audit?limit=700${query}`);
  for (const filter of ["", "&run=S-big", "&type=usage-reported", "&run=S-old1", "&text=npm+test"]) {
    const back: number[] = [];
    for (let before: number | null = 1_000_000; before !== null;) {
      const found: AuditPage = await page(`${filter}&before=${before}`);
      back.unshift(...found.events.map(({ seq }) => seq));
      before = found.before;
    }
    const forth: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const found: AuditPage = await page(`${filter}&after=${after}`);
      forth.push(...found.events.map(({ seq }) => seq));
      after = found.after;
    }
    expect(forth, filter).toEqual(back);
    expect(new Set(forth).size, filter).toBe(forth.length);
    expect(forth.length, filter).toBeGreaterThan(filter === "" ? 2999 : 0);
  }
  const newest = await page("");
  expect([newest.events.at(-1)?.seq, newest.after]).toEqual([newest.seq, null]);
});

it("the chain is verified, and a changed event is named", async () => {
  const served = await serveBigRun();
  expect(await served.read<ChainCheck>("/api/audit/verify")).toMatchObject({ isIntact: true, events: 3000 });
  const database = new Database(storeFile(served.root), { readOnly: false });
  database.run("UPDATE events SET body = replace(body, 'cut off', 'cut 0ff') WHERE seq = 2900");
  database.run("UPDATE events SET body = body || ' ' WHERE seq = 1234");
  database.close();
  const check = await served.read<ChainCheck>("/api/audit/verify");
  expect(check).toMatchObject({ isIntact: false, events: 1233 });
  expect(check.problem).toContain("event 1234 is not what was written");
});

it("the export is a file with every event of a story and its hash", async () => {
  const served = await serveBigRun();
  const headers = { cookie: await served.signIn() };
  const answer = await served.ask("/api/audit/export?run=S-old2", { headers });
  expect(answer.headers["content-disposition"]).toBe('attachment; filename="ambit-journal.jsonl"');
  const lines = answer.body
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([
    { type: "story-opened", story: "S-old2", hash: expect.stringMatching(/^[\da-f]{64}$/) },
    { type: "attempt-started" },
    { type: "delegation-closed" },
  ]);
});

it.each([
  "/api/runs/none",
  "/api/delegations/none",
  "/api/delegations/none/log",
  "/api/audit/0",
  "/api/audit/x",
])("%s is answered with 404 and advice", async (path) => {
  const served = await serveBigRun();
  const { status, body } = await served.ask(path, { headers: { cookie: await served.signIn() } });
  expect([status, JSON.parse(body)]).toMatchObject([
    404,
    { error: { recommendation: expect.stringMatching(/./) } },
  ]);
});
