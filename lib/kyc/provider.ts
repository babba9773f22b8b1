/** How far a person's identity is verified on one network. */
export type KycStatus = "unverified" | "pending" | "verified" | "enhanced";

/** What came of asking for a verification. */
export interface Verification {
  status: KycStatus;
  /** The provider's page where the person goes on. Short-lived; of providers with pages of their own. */
  url?: string;
}

/** What a provider is asked to verify. Names go to the provider and are not stored. */
interface VerificationRequest {
  accountId: string;
  fullName?: string;
}

/** A provider that verifies identities at once. A rejection returns `unverified`. */
export interface KycProvider {
  verify(request: VerificationRequest): Promise<KycStatus>;
}

/** Where a check stands at a provider with pages of its own. */
export type CheckState = "needs_input" | "processing" | "verified" | "canceled";

/** A check as its provider describes it. */
export interface HostedCheck {
  /** The provider's id of it. */
  reference: string;
  state: CheckState;
  status: KycStatus;
  /** Where the person goes on; https. Only while the provider needs something. */
  url?: string;
}

/** A provider that asks the person on pages of its own, and decides later. */
export interface HostedKycProvider {
  readonly name: "stripe";
  /**
   * Starts a check. Repeated with the same key, it returns the same one.
   *
   * @param idempotencyKey names the attempt
   * @throws ApiError `unavailable` while the provider does not respond
   */
  start(request: { accountId: string; idempotencyKey: string; returnUrl: string }): Promise<HostedCheck>;
  /** Reads a check. @throws ApiError `unavailable` while the provider does not respond */
  read(reference: string): Promise<HostedCheck>;
  /**
   * The check that a webhook of the provider is about, once its signature is right; undefined of any other event.
   *
   * @throws ApiError `unauthorized` for a signature that is wrong or too old
   */
  referenceOf(body: string, headers: Headers, now: Date): string | undefined;
}
