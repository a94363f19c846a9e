import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import type { NewEvent } from "../../src/contract/journal-event.ts";
import { until } from "../e2e/project.ts";
import { appendEvents } from "./append-events.ts";
import { listenTo } from "./listen-stream.ts";
import { serveProject, temporaryProject } from "./served-project.ts";
import { ownStoreFile } from "../own-store-file.ts";

/** Text that could do harm in a page, with a word by which the test finds it. */
const HOSTILE = `HOSTILE\u001b[31m\u001b]0;owned\u0007\u202egpj\u2066\u200b<img src=x onerror=alert(1)>\u0000\u009b2J</script>`;
const LINE = "L".repeat(1_000_000);
// oxlint-disable-next-line no-control-regex
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u206f]/u;
const limits = { ...defaultLimits };
const about = { story: "S-1", delegation: "S-1-DEL-001", attempt: 1 } as const;
const own = { story: "S-1", delegation: "S-1", attempt: 1 } as const;
const identity = { path: [HOSTILE], sessionId: "sess_1768900000_abcdef" };
const budget = { budgetTokens: null, budgetMicroUsd: null } as const;

/** A run with hostile text in every field that can contain text. */
const hostileRun: readonly NewEvent[] = [
  {
    ...own,
    type: "story-opened",
    attempt: 0,
    data: { ...identity, ...budget, kind: "story", title: HOSTILE, agent: HOSTILE, limits, scope: [HOSTILE] },
  },
  { ...own, type: "attempt-started", data: { owner: HOSTILE, executionId: HOSTILE } },
  {
    ...about,
    type: "delegation-admitted",
    attempt: 0,
    data: {
      ...identity,
      ...budget,
      parent: "S-1",
      parentAttempt: 1,
      number: 1,
      depth: 1,
      description: HOSTILE,
      agent: HOSTILE,
      targetId: HOSTILE,
      executionId: HOSTILE,
      estimatedHours: 1,
      contextTokens: 1,
      priority: 1,
      timeoutSeconds: 60,
      scope: [HOSTILE],
      criteria: [HOSTILE],
      checks: [HOSTILE],
      warnings: [HOSTILE],
      work: {
        adapter: "command",
        command: [HOSTILE],
        model: HOSTILE,
        context: HOSTILE + LINE.slice(0, 50_000),
        criteria: [{ id: "c1", text: HOSTILE, required: true, verdict: "unverified" }],
        dependsOn: [],
      },
    },
  },
  {
    ...own,
    type: "delegation-refused",
    data: {
      parent: "S-1",
      description: HOSTILE,
      agent: HOSTILE,
      targetId: null,
      failures: [{ code: HOSTILE, message: HOSTILE }],
    },
  },
  { ...about, type: "attempt-started", data: { owner: HOSTILE, executionId: HOSTILE } },
  {
    ...about,
    type: "usage-reported",
    data: {
      model: HOSTILE,
      inputTokens: 1,
      cachedTokens: 0,
      outputTokens: 1,
      microUsd: 5,
      source: "reported",
    },
  },
  { ...about, type: "work-kept", data: { tip: HOSTILE, base: HOSTILE, filesChanged: [HOSTILE] } },
  { ...about, type: "return-rejected", data: { codes: [HOSTILE], repair: 1 } },
  {
    ...about,
    type: "message-sent",
    data: {
      messageId: HOSTILE,
      from: about.delegation,
      to: "S-1",
      body: { type: "clarification_request", task_id: HOSTILE, question: HOSTILE },
    },
  },
  {
    ...about,
    type: "delegation-returned",
    data: { status: HOSTILE, summary: HOSTILE, artifacts: [HOSTILE] },
  },
  {
    ...about,
    type: "criterion-checked",
    data: { criterionId: "c1", text: HOSTILE, verdict: "failed", evidence: HOSTILE, by: HOSTILE },
  },
  { ...about, type: "merge-refused", data: { code: HOSTILE, message: HOSTILE, files: [HOSTILE] } },
  {
    ...about,
    type: "approval-requested",
    data: {
      approvalId: `S-1-DEL-001-clarification-1${HOSTILE}`,
      kind: "clarification",
      question: HOSTILE,
      details: [HOSTILE, LINE.slice(0, 19_000)],
    },
  },
];

it("hostile text in every field arrives as harmless text everywhere", async () => {
  const root = temporaryProject();
  await appendEvents(ownStoreFile(root), hostileRun);
  const id = about.delegation;
  const logs = join(root, ".git", "ambit", "logs", id, "attempt-1");
  mkdirSync(logs, { recursive: true });
  for (const name of ["stdout", "stderr", "prompt.md", "return.json"])
    writeFileSync(join(logs, name), `${HOSTILE}\n${LINE}\n${HOSTILE}\n`);
  const served = await serveProject(root);
  const cookie = await served.signIn();
  const stream = await listenTo({ port: served.port, cookie, query: "?run=S-1&after=0" });
  onTestFinished(() => stream.close());
  const paths = [
    "/api/project",
    "/api/runs",
    "/api/runs/S-1",
    "/api/runs/S-1/timeline",
    "/api/runs/S-1/cost",
    `/api/delegations/${id}`,
    ...["stdout", "stderr", "prompt"].map((name) => `/api/delegations/${id}/log?stream=${name}`),
    `/api/delegations/${id}/log?from=0`,
    "/api/inbox",
    "/api/audit",
    "/api/audit/3",
    `/api/runs/${encodeURIComponent(HOSTILE)}`,
    `/api/audit?limit=${encodeURIComponent(HOSTILE)}`,
  ];
  for (const path of paths) {
    const { body, headers } = await served.ask(path, { headers: { cookie } });
    const shown = JSON.stringify(JSON.parse(body));
    expect(shown, path).not.toMatch(HARMFUL);
    expect(body, path).not.toContain("\u202e");
    expect(longestText(JSON.parse(body)), path).toBeLessThan(60_000);
    expect(headers["content-type"], path).toBe("application/json; charset=utf-8");
    if (path !== "/api/project") expect(shown, path).toContain("HOSTILE");
  }
  await until("the stream told it", () => stream.numbers().length >= 10);
  expect(JSON.stringify(stream.batches)).toContain("HOSTILE");
  expect(JSON.stringify(stream.batches)).not.toMatch(HARMFUL);
});

function longestText(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(longestText));
}
