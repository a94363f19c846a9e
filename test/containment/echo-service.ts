import { createServer } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a service of this machine that sends its input back, and ends when its caller ends. */
export async function startEcho(): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A program that sends bytes to a place, ends its side, and prints how many of them came back unchanged. */
export function buildCaller(host: string, port: number, bytes = 5): readonly string[] {
  const script = `
    const { connect } = require("node:net");
    const sent = Buffer.alloc(${bytes}, "0123456789abcdef!");
    const got = [];
    const socket = connect({ host: "${host}", port: ${port}, allowHalfOpen: true });
    socket.on("error", ({ code }) => console.log(code));
    socket.on("data", (part) => got.push(part));
    socket.on("end", () => console.log(Buffer.concat(got).equals(sent) ? sent.length : "other bytes"));
    socket.end(sent);
  `;
  return [process.execPath, "-e", script];
}
