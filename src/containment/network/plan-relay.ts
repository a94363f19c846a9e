import { RELAY_SCRIPT } from "./relay-script.ts";

/** A service by the name and port under which this machine reaches it. */
export interface Service {
  /** `localhost` for a service of this machine. */
  readonly host: string;
  readonly port: number;
}

/** The place where the relay listens for one service. */
export interface RelayPlace {
  readonly service: Service;
  readonly addresses: readonly string[];
  /** The socket file that callers are connected to. */
  readonly file: string;
}

const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

export function isOfThisMachine({ host }: Pick<Service, "host">): boolean {
  return LOCAL_NAMES.has(host);
}

/**
 * Services of this machine keep the usual addresses; every other host has a loopback address of its own. A service that
 * is named twice is listened for once.
 */
export function planRelay(
  services: readonly Service[],
  nameFile: (index: number) => string,
): readonly RelayPlace[] {
  const others = services.filter((service) => !isOfThisMachine(service));
  const hosts = [...new Set(others.map(({ host }) => host))];
  const places = services.map((service, index) => ({
    service,
    addresses: isOfThisMachine(service)
      ? ["127.0.0.1", "::1"]
      : [`127.0.0.${hosts.indexOf(service.host) + 2}`],
    file: nameFile(index),
  }));
  const isSame = (one: RelayPlace, other: RelayPlace): boolean =>
    one.addresses[0] === other.addresses[0] && one.service.port === other.service.port;
  return places.filter((place, index) => places.findIndex((one) => isSame(one, place)) === index);
}

/** The words in front of a command that listen at these places before it starts. */
export function buildRelayCommand(perl: string, places: readonly RelayPlace[]): readonly string[] {
  const words = places.flatMap(({ addresses, service, file }) =>
    addresses.map((address) => `${address} ${service.port} ${file}`),
  );
  return [perl, "-e", RELAY_SCRIPT, "--", String(words.length), ...words];
}

/**
 * The machine's file of host names, with the names of the services leading to the relay; undefined if none has a name.
 */
export function buildHostsText(machine: string, places: readonly RelayPlace[]): string | undefined {
  const named = places.filter(({ service }) => !isOfThisMachine(service));
  if (named.length === 0) return undefined;
  const names = new Set(named.map(({ service }) => service.host.toLowerCase()));
  const others = machine.split("\n").filter(
    (line) =>
      !line
        .toLowerCase()
        .split(/\s+/)
        .slice(1)
        .some((word) => names.has(word)),
  );
  const own = named.map(({ service, addresses }) => `${addresses.join(" ")} ${service.host}`);
  return `${[...new Set(own), ...others].join("\n")}\n`;
}
