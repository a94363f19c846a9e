import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { temporaryFolder } from "../cli/temporary-folder.ts";

interface Call {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

let server: Server | undefined;

export function closeRuntime(): Promise<void> {
  const closing = server;
  server = undefined;
  return new Promise((resolve) => void (closing?.close(() => resolve()) ?? resolve()));
}

/** A runtime as a worker sees it. It gives the answers of each method in order and then repeats the last one. */
export async function runtime(answers: Readonly<Record<string, readonly unknown[]>>) {
  const folder = temporaryFolder();
  const calls: Call[] = [];
  const socket = join(folder, "worker.sock");
  server = createServer((connection) => {
    createInterface({ input: connection }).on("line", (line) => {
      const { call, method, parameters } = JSON.parse(line);
      const before = calls.filter((one) => one.method === method).length;
      calls.push({ method, parameters });
      const all = answers[method] ?? [];
      connection.write(`${JSON.stringify({ reply: call, result: all[before] ?? all.at(-1) ?? {} })}\n`);
    });
  });
  await new Promise<void>((resolve) => server?.listen(socket, resolve));
  const returnFile = join(folder, "return.json");
  const environment = { AMBIT_SOCKET: socket, AMBIT_TOKEN: "t", AMBIT_RETURN_FILE: returnFile };
  const readReturn = (): unknown => JSON.parse(readFileSync(returnFile, "utf8"));
  return { calls, environment, readReturn };
}

export function worker(number: number, outcome: string | null) {
  const id = `S-1-DEL-00${number}`;
  return { delegation_id: id, title: `Part ${number}`, status: outcome ?? "running", outcome };
}
