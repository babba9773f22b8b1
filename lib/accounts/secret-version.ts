import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";

/** Returns the version of the account secret that the account's clients use now. An agent's is its owner's. */
export async function secretVersionOf(
  chainId: ChainId,
  account: ContextAccount,
  at: Pick<Tx, "select"> = db(),
): Promise<number> {
  const [row] = await at
    .select({ version: accountNetworks.secretVersion })
    .from(accountNetworks)
    .where(and(eq(accountNetworks.accountId, account.rootId), eq(accountNetworks.chainId, chainId)));
  return row?.version ?? 1;
}

/**
 * Checks that an owner's secret is still the current one, and keeps it from being rotated until the transaction ends.
 *
 * @throws ApiError `available_balance_changed`
 */
export async function requireSecretVersion(tx: Tx, { chainId, account }: Context, version: number): Promise<void> {
  const [row] = await tx
    .select({ version: accountNetworks.secretVersion })
    .from(accountNetworks)
    .where(and(eq(accountNetworks.accountId, account.id), eq(accountNetworks.chainId, chainId)))
    .for("share");
  if (version !== (row?.version ?? 1)) throw secretRotated();
}

/** Returns the error for data that a client encrypted under a secret that has since been rotated. */
export function secretRotated(): ApiError {
  const message = "The account secret has been rotated. Unlock the account again, then retry.";
  return new ApiError("available_balance_changed", message, { param: "secret_version" });
}
