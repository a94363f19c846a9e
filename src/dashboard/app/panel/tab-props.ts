import type { DelegationDetail } from "../../wire.ts";

/** What every tab of the panel is given. */
export interface TabProps {
  readonly detail: DelegationDetail;
}
