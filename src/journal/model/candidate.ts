/** The planned merge of a delegation that is proven. */
export interface Candidate {
  readonly commit: string;
  readonly onto: string | null;
  /** The commit that its checks ran on. It differs if the work of several workers was checked together. */
  readonly checkedOn: string;
}
