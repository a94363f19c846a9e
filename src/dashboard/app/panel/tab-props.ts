import type { DelegationDetail } from "../../../app/view-types.ts";

/** What every tab of the panel is given. */
export interface TabProps {
  readonly detail: DelegationDetail;
}
