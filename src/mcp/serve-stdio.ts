import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./create-server.ts";
import { openLink, type LinkOptions } from "./open-link.ts";

export interface StdioOptions extends Omit<LinkOptions, "clientName"> {
  /** One line for people, on stderr. */
  readonly log: (line: string) => void;
}

/**
 * Serves one client over stdin and stdout until it closes them. What it started goes on without it: workers belong to
 * the supervisor, not to this process.
 */
export async function serveOverStdio(options: StdioOptions): Promise<void> {
  let client = "";
  const link = openLink({ ...options, clientName: () => client });
  const handle = serveStdio(
    () => createServer({ link, version: options.version, onClient: (name) => (client = name) }),
    { onerror: (error) => options.log(error.message) },
  );
  await inputClosed();
  link.close();
  await handle.close();
}

function inputClosed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
}
