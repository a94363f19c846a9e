import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";

const INSIDE = "AMBIT_REAL_CLI_INSIDE";
const LOOPBACK_UP = 'ip link set lo up && exec "$@"';

/** Starts this program once more where there is nothing but loopback; undefined when this is that one already. */
export async function rerunWithoutNetwork(): Promise<number | undefined> {
  if (process.env[INSIDE] !== undefined) return undefined;
  const wrapper = [["unshare", "-n"], ["unshare", "-rn"], []].find(works) ?? [];
  const rest = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const [program = "", ...words] =
    wrapper.length === 0 ? rest : [...wrapper, "sh", "-c", LOOPBACK_UP, "sh", ...rest];
  const child = spawn(program, words, { stdio: "inherit", env: { ...process.env, [INSIDE]: "1" } });
  const stop = (): boolean => child.kill("SIGTERM");
  process.on("SIGINT", stop).on("SIGTERM", stop);
  await once(child, "exit");
  return child.exitCode ?? 1;
}

function works(wrapper: readonly string[]): boolean {
  const [program, ...words] = wrapper;
  if (program === undefined) return true;
  return (
    spawnSync(program, [...words, "sh", "-c", LOOPBACK_UP, "sh", "true"], { stdio: "ignore" }).status === 0
  );
}

/** Told in the report: where the network cannot be cut off, only addresses of loopback are configured. */
export async function describeNetwork(): Promise<string> {
  const socket = connect({ host: "192.0.2.1", port: 9, timeout: 500 });
  const [first] = await Promise.race([
    once(socket, "error"),
    once(socket, "timeout").then(() => [undefined]),
    once(socket, "connect").then(() => [undefined]),
  ]).catch((error: unknown) => [error]);
  socket.destroy();
  const isCut = first instanceof Error && "code" in first && first.code === "ENETUNREACH";
  return isCut ? "no network but loopback" : "the network could not be cut off; only loopback is configured";
}
