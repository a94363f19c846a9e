import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./server/create-server.ts";
import { openRuntimeLink, type LinkOptions } from "../app/runtime-link.ts";

export interface StdioOptions extends Omit<LinkOptions, "clientName"> {
  /** One line for people, on stderr. */
  readonly log: (line: string) => void;
}

/**
 * Serves one client over stdin and stdout until it closes them. Its workers continue without it: they belong to the
 * supervisor, not to this process.
 */
export async function serveOverStdio(options: StdioOptions): Promise<void> {
  let client = "";
  const link = openRuntimeLink({ ...options, clientName: () => client });
  const handle = serveStdio(
    () => createServer({ link, version: options.version, onClient: (name) => (client = name) }),
    { onerror: (error) => options.log(error.message) },
  );
  await waitForInputEnd();
  link.close();
  await handle.close();
}

function waitForInputEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
}
