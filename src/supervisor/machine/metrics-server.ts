import { createServer, type Server } from "node:http";
import { clusterErrors } from "../../errors/cluster.ts";

export interface MetricsPlace {
  readonly host: string;
  readonly port: number;
}

export interface MachineFigures {
  readonly name: string;
  readonly pool: string;
  readonly version: string;
  readonly slots: number;
  readonly used: number;
  /** The number of offers taken since the start. */
  readonly offers: number;
  readonly isDraining: boolean;
}

/** Answers Prometheus with the figures of one machine. They name no story and no person. */
export class MetricsServer {
  readonly #place: MetricsPlace;
  readonly #server: Server;

  constructor(place: MetricsPlace, read: () => MachineFigures) {
    this.#place = place;
    this.#server = createServer((request, response) => {
      const isKnown = request.url === "/metrics" && (request.method === "GET" || request.method === "HEAD");
      response.writeHead(isKnown ? 200 : 404, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
      response.end(isKnown ? renderFigures(read()) : "Only /metrics is here.\n");
    });
  }

  async listen(): Promise<void> {
    const { host, port } = this.#place;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (error) => reject(clusterErrors.metricsUnusable(`${host}:${port}`, error)));
      this.#server.listen(port, host, resolve);
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function renderFigures(figures: MachineFigures): string {
  const labels = `{machine="${figures.name}",pool="${figures.pool}"}`;
  const lines = (name: string, kind: string, [help, value]: readonly [string, number]): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${name}${labels} ${value}\n`;
  return [
    lines("ambit_machine_slots", "gauge", ["Attempts this machine runs at once.", figures.slots]),
    lines("ambit_slots_free", "gauge", [
      "Slots without an attempt.",
      Math.max(0, figures.slots - figures.used),
    ]),
    lines("ambit_machine_draining", "gauge", ["1 when it takes nothing new.", figures.isDraining ? 1 : 0]),
    lines("ambit_machine_offers_total", "counter", ["Offers taken since its start.", figures.offers]),
    `# HELP ambit_build_info The version of ambit.\n# TYPE ambit_build_info gauge\nambit_build_info{version="${figures.version}"} 1\n`,
  ].join("");
}
