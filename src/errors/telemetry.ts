import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Sending traces to a collector. */
export const telemetryErrors = {
  noEndpoint: (reason: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `--send has nowhere to send to: ${reason}`,
      advice:
        "Set OTEL_EXPORTER_OTLP_ENDPOINT, such as http://localhost:4318, or omit --send to write a file.",
    }),
  notSent: (origin: string, reason: string, entries: number): DelegationError =>
    makeError({
      code: "TRACES_NOT_SENT",
      message: `The collector at ${origin} did not accept the traces: ${reason} (${entries} spans were sent before)`,
      advice: "Check OTEL_EXPORTER_OTLP_ENDPOINT and its headers; sending again does no harm.",
    }),
};
