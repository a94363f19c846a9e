import { decodePercent } from "../base/decode-percent.ts";
import type { Attributes } from "./spans/span.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export const otlpProtocols = ["http/protobuf", "http/json"] as const;
export type OtlpProtocol = (typeof otlpProtocols)[number];

/** The kind of data that is sent; each signal has variables of its own. */
export type OtlpSignal = "traces" | "metrics";

/** The destination of a signal, from the variables that every OpenTelemetry program reads. */
export interface OtlpSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: OtlpProtocol;
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
  readonly resource: Attributes;
  /** Includes requests and answers, which may contain anything. */
  readonly withContent: boolean;
}

export type OtlpWish =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly settings: OtlpSettings }
  | { readonly kind: "unusable"; readonly reason: string };

const DEFAULT_TIMEOUT_MS = 10_000;

/** Off unless an endpoint is set. An unusable value is reported, never guessed. */
export function readOtlpSettings(environment: Environment, signal: OtlpSignal): OtlpWish {
  const address = readAddress(environment, signal);
  const isOff =
    environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" ||
    environment[`OTEL_${signal.toUpperCase()}_EXPORTER`] === "none";
  if (address === "" || isOff) return { kind: "off" };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:"))
    return { kind: "unusable", reason: "the OTLP endpoint is not an http or https address" };
  if (url.username !== "" || url.password !== "")
    return {
      kind: "unusable",
      reason: "the OTLP endpoint holds a name or password: use OTEL_EXPORTER_OTLP_HEADERS",
    };
  const variable = (name: string): string => readVariable(environment, signal, name);
  const asked = variable("PROTOCOL") || "http/protobuf";
  const protocol = otlpProtocols.find((name) => name === asked);
  if (protocol === undefined)
    return {
      kind: "unusable",
      reason: `OTLP protocol ${asked} is not supported: set OTEL_EXPORTER_OTLP_PROTOCOL to ${otlpProtocols.join(" or ")}`,
    };
  const timeoutMs = Number(variable("TIMEOUT"));
  return {
    kind: "on",
    settings: {
      url: url.href,
      headers: readPairs(variable("HEADERS")),
      protocol,
      timeoutMs: Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS,
      isCompressed: variable("COMPRESSION") === "gzip",
      resource: readResource(environment),
      withContent:
        environment["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"]?.toLowerCase() === "true",
    },
  };
}

/** The address for one signal is used as it is; the common one is the root of all signals. */
function readAddress(environment: Environment, signal: OtlpSignal): string {
  const own = environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]?.trim() ?? "";
  if (own !== "") return own;
  const common = environment["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() ?? "";
  if (common === "") return "";
  return `${common}${common.endsWith("/") ? "" : "/"}v1/${signal}`;
}

/** A variable for one signal wins over the one for all. */
function readVariable(environment: Environment, signal: OtlpSignal, name: string): string {
  const own = environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`]?.trim() ?? "";
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
