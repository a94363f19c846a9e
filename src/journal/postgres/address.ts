import { readFileSync } from "node:fs";
import { decodePercent } from "../../base/decode-percent.ts";
import { clusterErrors } from "../../errors/cluster.ts";
import { learnSecrets } from "../../redaction/learn-secrets.ts";

/** Where a cluster's PostgreSQL is. Only `place` may be shown: the address may hold a password. */
export interface ClusterAddress {
  readonly url: string;
  /** Host, port and database. */
  readonly place: string;
}

const NAME = "AMBIT_CLUSTER_URL";
const FILE_NAME = `${NAME}_FILE`;

type Environment = Readonly<Record<string, string | undefined>>;

/** The address from the environment, or from the file that it names; undefined if there is neither. */
export function readClusterAddress(environment: Environment): ClusterAddress | undefined {
  const [direct, file] = [environment[NAME]?.trim(), environment[FILE_NAME]?.trim()];
  if (direct && file) throw clusterErrors.addressInvalid(`${NAME} and ${FILE_NAME} are both set`);
  if (direct) return parseAddress(direct, NAME);
  return file ? parseAddress(readAddressFile(file), FILE_NAME) : undefined;
}

function readAddressFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw clusterErrors.addressInvalid(`the file that ${FILE_NAME} names cannot be read`, error);
  }
}

/** The text itself is never part of a message. */
function parseAddress(text: string, name: string): ClusterAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPostgres = url?.protocol === "postgres:" || url?.protocol === "postgresql:";
  if (url === undefined || !isPostgres || url.pathname.length < 2)
    throw clusterErrors.addressInvalid(`${name} is not postgresql://user@host:port/database`);
  learnSecrets({ CLUSTER_PASSWORD: url.password, CLUSTER_SECRET: decodePercent(url.password) });
  return { url: text, place: `${url.hostname || "localhost"}:${url.port || "5432"}${url.pathname}` };
}
