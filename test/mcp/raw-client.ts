import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { trustEverything } from "../e2e/run-cli.ts";
import { program } from "./connect.ts";

type Message = Record<string, unknown>;

/** JSON-RPC by hand, one line per message: no client library between the test and the wire. */
export interface RawClient {
  readonly pid: number | undefined;
  readonly send: (message: Message) => void;
  /** Sends a request and resolves with the message that answers it. */
  readonly request: (method: string, parameters?: object, id?: number) => Promise<Message>;
  /** Everything that came and answers nothing. */
  readonly notices: readonly Message[];
  readonly initialize: (protocolVersion: string) => Promise<Message>;
  /** Calls a tool; resolves with its structured answer. */
  readonly call: (name: string, input: unknown, meta?: object) => Promise<Message>;
  readonly endInput: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly exited: Promise<unknown>;
}

export function rawClient(environment: Readonly<Record<string, string>>, directory?: string): RawClient {
  const child = spawn(process.execPath, [...program], {
    env: { PATH: process.env["PATH"] ?? "", ...trustEverything, ...environment },
    ...(directory === undefined ? {} : { cwd: directory }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map<unknown, (message: Message) => void>();
  const notices: Message[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: Message = JSON.parse(line);
    const answer = waiting.get(message["id"]);
    if (answer === undefined) notices.push(message);
    else answer(message);
  });
  let last = 0;
  const send = (message: Message): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method: string, parameters: object = {}, id = (last += 1)): Promise<Message> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params: parameters });
    });
  return {
    pid: child.pid,
    send,
    request,
    notices,
    initialize: async (protocolVersion) => {
      const clientInfo = { name: "raw", version: "0" };
      const answer = await request("initialize", { protocolVersion, capabilities: {}, clientInfo });
      send({ method: "notifications/initialized" });
      return answer;
    },
    call: async (name, input, meta) => {
      const parameters = { name, arguments: input, ...(meta === undefined ? {} : { _meta: meta }) };
      const { result } = await request("tools/call", parameters);
      return structured(result);
    },
    endInput: () => child.stdin.end(),
    kill: (signal) => child.kill(signal),
    exited: once(child, "exit"),
  };
}

function structured(result: unknown): Message {
  if (typeof result !== "object" || result === null || !("structuredContent" in result)) return {};
  const { structuredContent } = result;
  return typeof structuredContent === "object" ? { ...structuredContent } : {};
}
