import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import * as z from "zod";

const read = (name: string): string => readFileSync(join("deploy", name), "utf8");

const serviceSchema = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  secrets: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({
        condition: z.enum(["service_started", "service_healthy", "service_completed_successfully"]),
      }),
    )
    .optional(),
});

const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.looseObject({})),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

it("the compose file names only services, volumes and secrets that exist", () => {
  const compose = composeSchema.parse(parse(read("compose.yaml"), { merge: true }));
  const { services, volumes, secrets } = compose;
  expect(Object.keys(services).toSorted()).toEqual([
    "coordinator",
    "database",
    "hub",
    "worker-1",
    "worker-2",
  ]);
  for (const service of Object.values(services)) {
    for (const other of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty([other]);
    for (const volume of service.volumes ?? []) expect(volumes).toHaveProperty([volume.split(":")[0] ?? ""]);
    for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty([secret]);
  }
  expect(services["database"]).toHaveProperty("healthcheck");
});

const podSchema = z.looseObject({
  containers: z.array(z.looseObject({ name: z.string(), image: z.string(), args: z.array(z.string()) })),
  volumes: z.array(z.looseObject({ name: z.string() })),
});

const workloadSchema = z.looseObject({
  apiVersion: z.literal("apps/v1"),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
      spec: podSchema,
    }),
  }),
});

it("the Kubernetes files have selectors that fit their labels, and a scaler that names the workers", () => {
  const files = readdirSync("deploy/kubernetes").flatMap((name) =>
    parseAllDocuments(read(join("kubernetes", name))).map((document): unknown => document.toJS()),
  );
  const all = files.map((file) =>
    z
      .looseObject({
        apiVersion: z.string(),
        kind: z.string(),
        metadata: z.looseObject({ name: z.string() }),
      })
      .parse(file),
  );
  expect(all.map(({ kind }) => kind).toSorted()).toEqual(
    ["ConfigMap", "Deployment", "ScaledObject", "Service", "StatefulSet", "TriggerAuthentication"].toSorted(),
  );
  for (const one of all.filter(({ kind }) => kind === "Deployment" || kind === "StatefulSet")) {
    const { spec } = workloadSchema.parse(one);
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  }
  const scaled = all.find(({ kind }) => kind === "ScaledObject");
  expect(scaled).toMatchObject({ spec: { scaleTargetRef: { name: "ambit-worker" } } });
});

it("the files for deployment use only commands and flags that exist", () => {
  const files = ["compose.yaml", "enter.sh", "kubernetes/cluster.yaml", "systemd/ambit-worker@.service"];
  const text = files.map(read).join("\n");
  const called = Array.from(text.matchAll(/\bambit (cluster init|dashboard|run|trust|worker)\b/g));
  const names = new Set(called.map(([, name]) => name ?? ""));
  expect(names.size).toBe(5);
  for (const name of names) expect(helpOf(name)).toContain(`ambit ${name}`);
  for (const flag of ["--name", "--slots", "--metrics"]) expect(helpOf("worker")).toContain(flag);
});

function helpOf(name: string): string {
  const words = ["dist/cli/main.cjs", ...name.split(" "), "--help"];
  return spawnSync(process.execPath, words, { encoding: "utf8" }).stdout;
}

it("systemd accepts the units, and sh accepts the script", () => {
  expect(spawnSync("sh", ["-n", "deploy/enter.sh"]).status).toBe(0);
  for (const name of readdirSync("deploy/systemd")) {
    const unit = read(join("systemd", name));
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env ambit \w+/m);
    expect(unit).toMatch(/^WantedBy=/m);
    if (!existsSync("/usr/bin/systemd-analyze")) continue;
    const checked = spawnSync("systemd-analyze", ["verify", "--man=no", join("deploy/systemd", name)], {
      encoding: "utf8",
      env: { ...process.env, SYSTEMD_LOG_LEVEL: "warning" },
    });
    expect(checked.stderr.split("\n").filter((line) => line.includes(name))).toEqual([]);
  }
});
