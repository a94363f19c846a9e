import { expect, it } from "vitest";
import { MetricsServer } from "../../../src/supervisor/machine/metrics-server.ts";
import { findFreePort } from "../../services.ts";
import { readPrometheusText } from "../../telemetry/prometheus-reader.ts";

const figures = {
  name: "north",
  pool: "gpu",
  version: "1.2.3",
  slots: 4,
  used: 1,
  offers: 7,
  isDraining: false,
};

it("the metrics server answers Prometheus with the figures of the machine, and other paths with 404", async () => {
  const port = await findFreePort();
  const server = new MetricsServer({ host: "127.0.0.1", port }, () => figures);
  await server.listen();
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  const answer = await ask("/metrics");
  const text = await answer.text();
  expect(answer.headers.get("content-type")).toContain("version=0.0.4");
  expect([...readPrometheusText(text).keys()]).toContain("ambit_machine_slots");
  expect(text).toContain('ambit_slots_free{machine="north",pool="gpu"} 3\n');
  expect(text).toContain('ambit_machine_offers_total{machine="north",pool="gpu"} 7\n');
  expect((await ask("/")).status).toBe(404);
  const second = new MetricsServer({ host: "127.0.0.1", port }, () => figures);
  await expect(second.listen()).rejects.toMatchObject({ code: "USAGE" });
  await server.close();
});
