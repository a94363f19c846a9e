export type {
  AdapterCapabilities,
  AgentAdapter,
  AgentEvent,
  BuiltFile,
  BuiltRun,
  ProviderFailure,
  RunEnd,
  RunSpec,
} from "./adapter-types/agent-adapter.ts";
