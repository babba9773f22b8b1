import type { OwnAccount } from "../api/api-types";
import type { Context } from "../context/context";

/** The state of an identity check. */
export interface IdentityCheck extends Pick<OwnAccount, "kyc_status"> {
  /** The provider's page on which to continue. Short-lived; not set when there is nothing left for you to do. */
  url?: string;
}

/**
 * Starts or continues an identity check with the network's provider. The test network's sandbox verifies everyone at
 * once; a provider with its own pages returns the address on which to continue.
 */
export async function verifyIdentity(context: Context): Promise<IdentityCheck> {
  const session = await context.session();
  const { kyc_status, url } = await session.post<IdentityCheck>("/api/kyc/verify");
  return { kyc_status, ...(url === undefined ? {} : { url }) };
}
