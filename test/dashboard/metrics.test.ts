import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPrometheusText, sampleOf } from "../telemetry/prometheus-reader.ts";
import type { Answer } from "./ask-dashboard.ts";
import { serveProject, temporaryProject, type Served } from "./served-project.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { ownStoreFile } from "../own-store-file.ts";
import { openRun } from "./write-events.ts";

function keyOf({ root }: Served): string {
  return readFileSync(join(root, ".git", "ambit", "metrics-key"), "utf8").trim();
}

function scrape(served: Served, authorization?: string, path = "/metrics"): Promise<Answer> {
  return served.ask(path, { headers: authorization === undefined ? {} : { authorization } });
}

describe("the dashboard's figures for Prometheus", () => {
  it("are served to a scraper that has the key, and say whether a supervisor is running", async () => {
    const root = temporaryProject();
    const store = openStore(ownStoreFile(root));
    await openRun(store, "S-1", ["one", "two"]);
    await store.close();
    const served = await serveProject(root);
    const answer = await scrape(served, `Bearer ${keyOf(served)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    const families = readPrometheusText(answer.body);
    expect(sampleOf(families, "ambit_supervisor_up")).toBe(0);
    expect(sampleOf(families, "ambit_delegations_running")).toBe(2);
    expect(sampleOf(families, "ambit_stories_opened_total")).toBe(1);
  });

  it("are served only with the key, and the key opens nothing else", async () => {
    const served = await serveProject(temporaryProject());
    const key = keyOf(served);
    for (const wrong of [undefined, "Bearer", `Bearer ${key}x`, `Basic ${key}`, `Bearer ${served.token}`])
      expect((await scrape(served, wrong)).status).toBe(401);
    expect((await scrape(served, `Bearer ${key}`, "/api/project")).status).toBe(401);
    const foreign = { authorization: `Bearer ${key}`, host: "evil.example" };
    expect((await served.ask("/metrics", { headers: foreign })).status).toBe(403);
    const posted = { method: "POST", headers: { authorization: `Bearer ${key}`, origin: served.origin } };
    expect((await served.ask("/metrics", posted)).status).toBe(405);
  });

  it("are served to any request without the check of the session (control)", async () => {
    const served = await serveProject(temporaryProject(), { defences: { session: false } });
    expect((await scrape(served)).status).toBe(200);
  });

  it("keep their key across starts, readable only by its owner, and a signed-in browser needs none", async () => {
    const root = temporaryProject();
    const first = await serveProject(root);
    const key = keyOf(first);
    await first.close();
    const second = await serveProject(root);
    expect(keyOf(second)).toBe(key);
    expect(statSync(join(root, ".git", "ambit", "metrics-key")).mode % 0o1000).toBe(0o600);
    const cookie = await second.signIn();
    expect((await second.ask("/metrics", { headers: { cookie } })).status).toBe(200);
  });
});
