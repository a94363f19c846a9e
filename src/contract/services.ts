import * as z from "zod";

export const MAX_SERVICES = 32;
/** Below, only root may listen, and a sandbox has no root. */
const MIN_PORT = 1024;
const MAX_PORT = 65_535;

/** `5432`, `"5432"` or `redis:6379` */
const entryPattern = /^(?:(?<host>[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?):)?(?<port>\d{4,5})$/i;

/** A service that checks may reach: a port of this machine, or another host by its name with a port. */
export const serviceSchema = z
  .union([z.int(), z.string()])
  .refine(
    (entry) => findService(entry) !== undefined,
    `must be a list of ports such as 5432, or of names with ports such as redis:6379, from ${MIN_PORT} to ${MAX_PORT}`,
  );

/** A service by the name and port under which this machine reaches it. */
export interface NamedService {
  readonly host: string;
  readonly port: number;
}

/** Entries that the schema refuses are left out. */
export function readServices(entries: readonly (number | string)[]): readonly NamedService[] {
  return entries.map(findService).filter((service) => service !== undefined);
}

/** An address in digits has no name that could lead to us. */
function findService(entry: number | string): NamedService | undefined {
  const { host = "localhost", port = "" } = entryPattern.exec(String(entry))?.groups ?? {};
  const isAddress = /^[\d.]+$/.test(host) && host !== "127.0.0.1";
  const isPort = Number(port) >= MIN_PORT && Number(port) <= MAX_PORT;
  return isPort && !isAddress ? { host, port: Number(port) } : undefined;
}

const addressPattern = /^(?<host>(?:\*\.)?[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?)(?::(?<port>\d{1,5}))?$/i;
const HTTPS_PORT = 443;

/** A host that agents may reach, by its name or address; `*.` in front stands for all names below. */
export const addressSchema = z
  .string()
  .refine(
    (entry) => findAddress(entry) !== undefined,
    "must be a list of hosts such as llm.example.org, *.example.org or llm.example.org:8443",
  );

/** Entries that the schema refuses are left out. */
export function readAddresses(entries: readonly string[]): readonly NamedService[] {
  return entries.map(findAddress).filter((address) => address !== undefined);
}

function findAddress(entry: string): NamedService | undefined {
  const { host, port } = addressPattern.exec(entry)?.groups ?? {};
  const number = port === undefined ? HTTPS_PORT : Number(port);
  return host === undefined || number < 1 || number > MAX_PORT ? undefined : { host, port: number };
}
