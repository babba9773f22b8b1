/** How far a person's identity is verified on one network. */
export type KycStatus = "unverified" | "pending" | "verified" | "enhanced";

/** The result of a request to verify an identity. */
export interface Verification {
  status: KycStatus;
  /** The provider's page where the person continues. Short-lived. Only from providers with pages of their own. */
  url?: string;
}

/** What a provider is asked to verify. Names are passed to the provider and not stored. */
interface VerificationRequest {
  accountId: string;
  fullName?: string;
}

/** A provider that verifies identities immediately. Returns `unverified` for a rejection. */
export interface KycProvider {
  verify(request: VerificationRequest): Promise<KycStatus>;
}

/** State of a check at a provider with pages of its own. */
type CheckState = "needs_input" | "processing" | "verified" | "canceled";

/** A check as its provider reports it. */
export interface HostedCheck {
  /** The provider's id of the check. */
  reference: string;
  state: CheckState;
  status: KycStatus;
  /** The https page where the person continues. Only while the provider needs something from them. */
  url?: string;
}

/** A provider that verifies people on pages of its own, and decides later. */
export interface HostedKycProvider {
  readonly name: "stripe";
  /**
   * Starts a check. With the same key it returns the same check.
   *
   * @param idempotencyKey identifies the attempt
   * @throws ApiError `unavailable` if the provider does not respond
   */
  start(request: { accountId: string; idempotencyKey: string; returnUrl: string }): Promise<HostedCheck>;
  /**
   * Reads a check.
   *
   * @throws ApiError `unavailable` if the provider does not respond
   */
  read(reference: string): Promise<HostedCheck>;
  /**
   * Verifies a webhook of the provider and returns the id of the check it is about; undefined for any other event.
   *
   * @throws ApiError `unauthorized` for a signature that is wrong or too old
   */
  referenceOf(body: string, headers: Headers, now: Date): string | undefined;
}
