import type { Attributes } from "./spans/span.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export const traceProtocols = ["http/protobuf", "http/json"] as const;
export type TraceProtocol = (typeof traceProtocols)[number];

/** The destination of traces, from the variables that every OpenTelemetry program reads. */
export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: TraceProtocol;
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
  readonly resource: Attributes;
  /** Includes requests and answers, which may contain anything. */
  readonly withContent: boolean;
}

export type TraceWish =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly settings: TraceSettings }
  | { readonly kind: "unusable"; readonly reason: string };

const DEFAULT_TIMEOUT_MS = 10_000;

/** Off unless an endpoint is set. An unusable value is reported, never guessed. */
export function readTraceSettings(environment: Environment): TraceWish {
  const address = readAddress(environment);
  const isOff =
    environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" ||
    environment["OTEL_TRACES_EXPORTER"] === "none";
  if (address === "" || isOff) return { kind: "off" };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    return { kind: "unusable", reason: "the OTLP endpoint is not an http or https address" };
  if (url.username !== "" || url.password !== "")
    return {
      kind: "unusable",
      reason: "the OTLP endpoint holds a name or password: use OTEL_EXPORTER_OTLP_HEADERS",
    };
  const asked = traceVariable(environment, "PROTOCOL") || "http/protobuf";
  const protocol = traceProtocols.find((name) => name === asked);
  if (protocol === undefined)
    return {
      kind: "unusable",
      reason: `OTLP protocol ${asked} is not supported: set OTEL_EXPORTER_OTLP_PROTOCOL to ${traceProtocols.join(" or ")}`,
    };
  const timeoutMs = Number(traceVariable(environment, "TIMEOUT"));
  return {
    kind: "on",
    settings: {
      url: url.href,
      headers: readPairs(traceVariable(environment, "HEADERS")),
      protocol,
      timeoutMs: Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS,
      isCompressed: traceVariable(environment, "COMPRESSION") === "gzip",
      resource: readResource(environment),
      withContent:
        environment["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"]?.toLowerCase() === "true",
    },
  };
}

/** The address for traces is used as it is; the common one is the root of all signals. */
function readAddress(environment: Environment): string {
  const own = environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]?.trim() ?? "";
  if (own !== "") return own;
  const common = environment["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() ?? "";
  if (common === "") return "";
  return `${common}${common.endsWith("/") ? "" : "/"}v1/traces`;
}

/** A variable for traces wins over one for all signals. */
function traceVariable(environment: Environment, name: string): string {
  const own = environment[`OTEL_EXPORTER_OTLP_TRACES_${name}`]?.trim() ?? "";
  return own === "" ? (environment[`OTEL_EXPORTER_OTLP_${name}`]?.trim() ?? "") : own;
}

function readResource(environment: Environment): Attributes {
  const given = readPairs(environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "");
  const name = environment["OTEL_SERVICE_NAME"]?.trim() ?? "";
  return { "service.name": "ambit", ...given, ...(name === "" ? {} : { "service.name": name }) };
}

/** `key=value,key=value`, values percent-encoded; other parts are ignored. */
function readPairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      const name = pair.slice(0, Math.max(0, at)).trim();
      return name === "" ? [] : [[name, decodePercent(pair.slice(at + 1).trim())]];
    }),
  );
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is literal.
    return text;
  }
}
