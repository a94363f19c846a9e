import { describe, expect, it } from "vitest";
import { readOtlpSettings, type OtlpSettings } from "../../src/telemetry/otlp-settings.ts";

function settingsOf(environment: Readonly<Record<string, string>>): OtlpSettings {
  const wish = readOtlpSettings(environment, "traces");
  if (wish.kind !== "on") throw new Error(JSON.stringify(wish));
  return wish.settings;
}

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("the destination of traces", () => {
  it.each([
    ["nothing is set", {}],
    ["the endpoint is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: " " }],
    ["the kit is disabled", { ...endpoint, OTEL_SDK_DISABLED: "TRUE" }],
    ["no trace exporter is wanted", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
  ])("is absent if %s", (_, environment) => {
    expect(readOtlpSettings(environment, "traces")).toStrictEqual({ kind: "off" });
  });

  it("is v1/traces below the common endpoint, and the traces' own endpoint unchanged", () => {
    expect(settingsOf(endpoint).url).toBe("http://collector:4318/v1/traces");
    expect(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://x.test/otlp/" }).url).toBe(
      "https://x.test/otlp/v1/traces",
    );
    const own = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://own.test/in" };
    expect(settingsOf(own).url).toBe("https://own.test/in");
  });

  it("is separate for metrics, which have variables and a switch of their own", () => {
    const own = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "all=1",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "only=2",
      OTEL_TRACES_EXPORTER: "none",
    };
    expect(readOtlpSettings(own, "metrics")).toMatchObject({
      kind: "on",
      settings: { url: "http://collector:4318/v1/metrics", headers: { only: "2" } },
    });
    expect(readOtlpSettings({ ...endpoint, OTEL_METRICS_EXPORTER: "none" }, "metrics").kind).toBe("off");
  });

  it("has the defaults of the specification", () => {
    expect(settingsOf(endpoint)).toMatchObject({
      protocol: "http/protobuf",
      headers: {},
      timeoutMs: 10_000,
      isCompressed: false,
      resource: { "service.name": "ambit" },
      withContent: false,
    });
  });

  it("reads headers, time, compression and resource from their variables, those for traces first", () => {
    const settings = settingsOf({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "all=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=Bearer%20a%3Db, x-team = blue ,broken,=none,odd=50%",
      OTEL_EXPORTER_OTLP_TIMEOUT: "2500",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=ci",
      OTEL_SERVICE_NAME: "builder",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    });
    expect(settings).toStrictEqual({
      url: "http://collector:4318/v1/traces",
      headers: { authorization: "Bearer a=b", "x-team": "blue", odd: "50%" },
      protocol: "http/json",
      timeoutMs: 2500,
      isCompressed: true,
      resource: { "service.name": "builder", "deployment.environment.name": "ci" },
      withContent: true,
    });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "not an http"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "file:///etc/passwd" }, "not an http"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:secret@x.test" }, "holds a name or password"],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTLP protocol grpc is not supported"],
  ])("says why %j cannot be used, and guesses nothing", (environment, reason) => {
    expect(readOtlpSettings(environment, "traces")).toStrictEqual({
      kind: "unusable",
      reason: expect.stringContaining(reason),
    });
  });
});
