/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** How much time passes for your account. */
export interface AdvanceClock {
  /** How much time passes. */
  seconds: number;
}

/** What of your account had to wait for less time. */
export interface AdvancedClock {
  /** How much time passed. */
  advanced_seconds: number;
  /** Payments awaiting approval whose window moved. */
  approvals: number;
  /** Webhook deliveries whose next attempt moved. */
  deliveries: number;
  /** API keys whose expiry moved. */
  keys: number;
}

/** A recipient whose payments always fail. */
export interface FailingRecipient {
  /** Its handle: pay it to see a payment fail. */
  to: string;
}
