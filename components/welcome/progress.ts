/** What is known of a first visit: facts from the service, and what this page has done since. */
export interface FirstVisit {
  /** With `@`; null before there is an account. */
  handle: string | null;
  enrolled: boolean;
  verified: boolean;
  /** Whether something was made available. */
  madeAvailable: boolean;
  /** Whether a payment was sent and is final. */
  paid: boolean;
}

/** The steps of a first visit, in order. */
export const STEPS = ["handle", "enroll", "identity", "money", "payment"] as const;
export type WelcomeStepName = (typeof STEPS)[number];

/** Returns the current step, or null if all are done. A reloaded page continues where it was. */
export function stepNow(visit: FirstVisit): WelcomeStepName | null {
  const done: Record<WelcomeStepName, boolean> = {
    handle: visit.handle !== null,
    enroll: visit.enrolled,
    identity: visit.verified,
    money: visit.madeAvailable,
    payment: visit.paid,
  };
  return STEPS.find((step) => !done[step]) ?? null;
}

/**
 * Returns whom the first payment goes to: every local stack has this account (scripts/stack/demo-account.ts). Elsewhere
 * someone else may have the handle, or no one, so the person chooses.
 */
export function firstPayee(local: boolean): string | undefined {
  return local ? "@demo" : undefined;
}
