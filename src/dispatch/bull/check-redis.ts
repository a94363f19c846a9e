import { Redis } from "ioredis";
import { clusterErrors } from "../../errors/cluster.ts";

const ANSWER_MS = 5000;
const USUAL_PORT = "6379";

/** Refuses a Redis that does not answer, or that does not let this machine in. */
export async function checkRedis(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // It comes before the failure of the call and says more.
  let reason: unknown;
  client.on("error", (error) => (reason = error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw clusterErrors.redisUnreachable(`${hostname}:${port || USUAL_PORT}`, reason ?? error);
  } finally {
    client.disconnect();
  }
}
