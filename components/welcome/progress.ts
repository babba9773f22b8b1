/** What is known of a first visit. Facts of the service, and what this page has done since. */
export interface FirstVisit {
  /** With @; null before there is an account. */
  handle: string | null;
  enrolled: boolean;
  verified: boolean;
  /** Something was deposited or received. */
  funded: boolean;
  /** Something was allocated. */
  allocated: boolean;
  /** There is an API key that works. */
  keyed: boolean;
  /** A payment was sent and is final. */
  paid: boolean;
}

/** The steps of a first visit, in their order. */
export const STEPS = ["handle", "enrol", "identity", "money", "budget", "key", "payment"] as const;
export type StepName = (typeof STEPS)[number];

/** The step to do now; null when all are done. A page that is loaded again continues where it was. */
export function stepNow(visit: FirstVisit): StepName | null {
  const done: Record<StepName, boolean> = {
    handle: visit.handle !== null,
    enrol: visit.enrolled,
    identity: visit.verified,
    money: visit.funded || visit.allocated,
    budget: visit.allocated,
    key: visit.keyed,
    payment: visit.paid,
  };
  return STEPS.find((step) => !done[step]) ?? null;
}
