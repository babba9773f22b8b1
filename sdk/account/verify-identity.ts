import type { OwnAccount } from "../api/api-types";
import type { Context } from "../context/context";

/** Verifies the identity with the network's provider; the sandbox of the test network verifies everyone at once. */
export async function verifyIdentity(context: Context): Promise<Pick<OwnAccount, "kyc_status">> {
  const session = await context.session();
  const { kyc_status } = await session.post<Pick<OwnAccount, "kyc_status">>("/api/kyc/verify");
  return { kyc_status };
}
