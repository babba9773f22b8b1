/** How far a person's identity is verified on one network. */
export type KycStatus = "unverified" | "pending" | "verified" | "enhanced";

/** What a provider is asked to verify. Names go to the provider and are not stored. */
interface VerificationRequest {
  accountId: string;
  fullName?: string;
}

/** A provider that verifies identities. A rejection returns `unverified`. */
export interface KycProvider {
  verify(request: VerificationRequest): Promise<KycStatus>;
}
