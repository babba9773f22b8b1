import { and, eq, sql } from "drizzle-orm";
import { type Address, zeroAddress } from "viem";
import type { Tx } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import type { LedgerEvent } from "@/lib/chain/ledger-events";
import type { ChainId } from "@/lib/network";

const at = (chainId: ChainId, address: Address) =>
  and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, address));

/**
 * Indexes who is there: records, spenders, agents and nonces. A record whose enrolment was relayed and pending becomes
 * what the chain says.
 */
export async function indexAccounts(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  const used = new Map<Address, bigint>();
  const countNonce = (account: Address) => used.set(account, (used.get(account) ?? 0n) + 1n);
  for (const event of events) {
    switch (event.eventName) {
      case "Enrolled": {
        const { account, viewingKey, spender, spenderUntil, sealedRoot } = event.args;
        const record = {
          viewingKey,
          spender,
          spenderUntil,
          sealedRoot,
          owner: null,
          enrolledBlock: event.blockNumber,
          relayer: null,
        };
        await tx
          .insert(ledgerAccounts)
          .values({ chainId, address: account, ...record })
          .onConflictDoUpdate({ target: [ledgerAccounts.chainId, ledgerAccounts.address], set: record });
        break;
      }
      case "AgentEnrolled": {
        const { agent, owner } = event.args;
        const [ownerRecord] = await tx
          .select({ viewingKey: ledgerAccounts.viewingKey })
          .from(ledgerAccounts)
          .where(at(chainId, owner));
        if (!ownerRecord) throw new Error("the ledger enrols agents of enrolled owners only");
        const record = {
          viewingKey: ownerRecord.viewingKey,
          spender: zeroAddress,
          spenderUntil: 0n,
          owner,
          enrolledBlock: event.blockNumber,
          relayer: null,
        };
        await tx
          .insert(ledgerAccounts)
          .values({ chainId, address: agent, ...record })
          .onConflictDoUpdate({ target: [ledgerAccounts.chainId, ledgerAccounts.address], set: record });
        break;
      }
      case "SpenderSet": {
        const { account, spender, spenderUntil } = event.args;
        await tx.update(ledgerAccounts).set({ spender, spenderUntil }).where(at(chainId, account));
        countNonce(account);
        break;
      }
      case "Abandoned":
      case "Allocated":
        countNonce(event.args.account);
        break;
      case "Deposited":
      case "Transferred":
      case "Released":
      case "Funded":
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
