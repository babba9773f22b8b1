import { and, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import type { ChainId } from "@/lib/base/network";
import { NO_END } from "@/lib/ledger/authority/authority-limits";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

type Change = Partial<typeof ledgerAccounts.$inferInsert>;

/**
 * Indexes accounts: records, signers, policies, flags and nonces. A record with a pending relayed enrollment takes the
 * chain's values.
 */
export async function indexAccounts(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  const used = new Map<Address, bigint>();
  const countNonce = (account: Address) => used.set(account, (used.get(account) ?? 0n) + 1n);
  for (const event of events) {
    switch (event.eventName) {
      case "Enrolled": {
        const { account, viewingKey, paymentKey, paymentKeyUntil, encryptedAccountKey } = event.args;
        await enroll(tx, chainId, account, event.blockNumber, {
          viewingKey,
          signer: paymentKey,
          until: paymentKeyUntil,
          encryptedAccountKey,
          owner: null,
          limited: false,
        });
        break;
      }
      case "AgentEnrolled": {
        const { agent, owner } = event.args;
        const viewingKey = await viewingKeyOfOwner(tx, chainId, owner);
        const record = { viewingKey, signer: agent, until: NO_END, owner, limited: true };
        await enroll(tx, chainId, agent, event.blockNumber, record);
        break;
      }
      case "PaymentKeySet": {
        const { account, paymentKey, paymentKeyUntil } = event.args;
        await change(tx, chainId, account, { signer: paymentKey, until: paymentKeyUntil });
        countNonce(account);
        break;
      }
      case "Guarded":
        await change(tx, chainId, event.args.account, { guarded: event.args.guarded });
        countNonce(event.args.account);
        break;
      case "PolicySet": {
        const { account, policyVersion, limited } = event.args;
        await change(tx, chainId, account, { policyVersion, limited });
        // An account under its own policy is guarded too; agents have no guard.
        if (limited) await guardAccount(tx, chainId, account);
        break;
      }
      case "AgentSignerSet": {
        const { agent, signer, until, policyVersion } = event.args;
        await change(tx, chainId, agent, { signer, until, policyVersion });
        break;
      }
      case "Abandoned":
      case "MadeAvailable":
        countNonce(event.args.account);
        break;
      case "Deposited":
      case "Transferred":
      case "Released":
      case "Limited":
      case "BatchTransferred":
      case "Paid":
      case "Funded":
      case "AssetListed":
      case "DepositLimitSet":
        break;
    }
  }
  for (const [account, count] of used) {
    await tx
      .update(ledgerAccounts)
      .set({ nonce: sql`${ledgerAccounts.nonce} + ${count.toString()}::bigint` })
      .where(at(chainId, account));
  }
}

const at = (chainId: ChainId, address: Address) =>
  and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, address));

async function enroll(
  tx: Tx,
  chainId: ChainId,
  address: Address,
  enrolledBlock: bigint,
  says: Pick<
    typeof ledgerAccounts.$inferInsert,
    "viewingKey" | "signer" | "until" | "owner" | "encryptedAccountKey" | "limited"
  >,
): Promise<void> {
  const record = { ...says, enrolledBlock, relayer: null };
  await tx
    .insert(ledgerAccounts)
    .values({ chainId, address, ...record })
    .onConflictDoUpdate({ target: [ledgerAccounts.chainId, ledgerAccounts.address], set: record });
}

async function viewingKeyOfOwner(tx: Tx, chainId: ChainId, owner: Address) {
  const [record] = await tx
    .select({ viewingKey: ledgerAccounts.viewingKey })
    .from(ledgerAccounts)
    .where(at(chainId, owner));
  if (!record) throw new Error("the ledger enrolls agents of enrolled owners only");
  return record.viewingKey;
}

async function change(tx: Tx, chainId: ChainId, address: Address, set: Change): Promise<void> {
  await tx.update(ledgerAccounts).set(set).where(at(chainId, address));
}

async function guardAccount(tx: Tx, chainId: ChainId, address: Address): Promise<void> {
  await tx
    .update(ledgerAccounts)
    .set({ guarded: true })
    .where(and(at(chainId, address), sql`${ledgerAccounts.owner} is null`));
}
