import { and, eq, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { type RefusedSigner, SignerRefused } from "@/lib/balances/signer-refused";
import { ApiError } from "@/lib/base/errors";
import { readParty } from "@/lib/chain/registry";
import { partyAtLatest } from "./party-at-latest";

/**
 * Does work in which a signer may be refused. If only some of the final state, the newest block and what is under way
 * know the signer, it is changing, and the error is `unavailable`: a retry finds out. Only a signer that none of them
 * knows is forbidden. The chain is asked only after a refusal. Call it outside of any transaction.
 *
 * @throws ApiError `unavailable`; what `work` throws
 */
export function unavailableWhileSignerChanges<T>(work: Promise<T>): Promise<T> {
  return work.catch(refuseSigner);
}

/**
 * Refuses a signer, without any work: see {@link unavailableWhileSignerChanges}. Other errors are thrown as they are.
 *
 * @throws ApiError `unavailable`; the error itself
 */
export async function refuseSigner(error: unknown): Promise<never> {
  if (!(error instanceof SignerRefused) || !(await isChanging(error.refused))) throw error;
  throw new ApiError(
    "unavailable",
    "The account's new payment key is not final on chain yet. Nothing was sent. Try again in a moment.",
    { retryAfter: 2, cause: error },
  );
}

/**
 * Reports whether the final state or the newest block accepts the signer, or a change of signers is on its way. A state
 * that accepts it now was another one when the signer was refused.
 */
async function isChanging({ chainId, holder, isAccepted }: RefusedSigner): Promise<boolean> {
  const { address, rootAddress } = holder;
  const [pending] = await db()
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(
        eq(operations.chainId, chainId),
        inArray(operations.account, [address, rootAddress]),
        eq(operations.status, "pending"),
        inArray(operations.kind, ["set_payment_key", "set_agent_signer"]),
      ),
    )
    .limit(1);
  if (pending) return true;
  const final = await readParty(chainId, address);
  if (final && (await isAccepted(final))) return true;
  return isAccepted(await partyAtLatest(chainId, holder));
}
