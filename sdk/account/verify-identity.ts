import type { OwnAccount } from "../api/api-types";
import type { Context } from "../context/context";

/** Where an identity check stands. */
export interface IdentityCheck extends Pick<OwnAccount, "kyc_status"> {
  /** The provider's page where you go on. Short-lived; absent when nothing is left for you to do. */
  url?: string;
}

/**
 * Verifies the identity with the network's provider, or continues a check. The sandbox of the test network verifies
 * everyone at once; a provider with pages of its own returns where you go on.
 */
export async function verifyIdentity(context: Context): Promise<IdentityCheck> {
  const session = await context.session();
  const { kyc_status, url } = await session.post<IdentityCheck>("/api/kyc/verify");
  return { kyc_status, ...(url === undefined ? {} : { url }) };
}
