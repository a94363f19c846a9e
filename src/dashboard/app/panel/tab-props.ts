import type { DelegationDetail } from "../../../app/view-types.ts";

/** The properties of every tab of the panel. */
export interface TabProps {
  readonly detail: DelegationDetail;
}
