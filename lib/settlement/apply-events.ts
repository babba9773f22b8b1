import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { announceMovements } from "./announce-movements";
import type { AvailableChange } from "./compare-states-with-index";
import { failOutdated } from "./fail-outdated";
import { followSigners } from "./follow-agents";
import { indexAccounts } from "./index-accounts";
import { indexDepositedBalances, indexNotes } from "./index-money";
import { indexPayments, paymentsInEvents } from "./index-payments";
import { rebuildLostPayments } from "./rebuild-lost-payments";
import { settleAvailableBalances } from "./settle-available-balances";
import { depositsUnderWay, type FinalEnrollment, settleOperations } from "./settle-operations";

/** Returns the available balance commitments that events replace, in the order of the chain. */
export function availableChanges(events: readonly LedgerEvent[]): AvailableChange[] {
  return events.flatMap(changesOf);
}

function changesOf(event: LedgerEvent): AvailableChange[] {
  const txHash = event.transactionHash;
  switch (event.eventName) {
    case "MadeAvailable":
    case "Transferred":
    case "Released":
    case "BatchTransferred": {
      const { account, asset, oldAvailable, newAvailable } = event.args;
      return [
        {
          account,
          asset,
          oldCommitment: commitmentToHex(oldAvailable),
          newCommitment: commitmentToHex(newAvailable),
          txHash,
        },
      ];
    }
    case "Funded": {
      const { from, to, asset, fromOldAvailable, fromNewAvailable, toOldAvailable, toNewAvailable } = event.args;
      return [
        {
          account: from,
          asset,
          oldCommitment: commitmentToHex(fromOldAvailable),
          newCommitment: commitmentToHex(fromNewAvailable),
          txHash,
        },
        {
          account: to,
          asset,
          oldCommitment: commitmentToHex(toOldAvailable),
          newCommitment: commitmentToHex(toNewAvailable),
          txHash,
        },
      ];
    }
    case "Abandoned": {
      const { account, asset, oldAvailable } = event.args;
      return [
        { account, asset, oldCommitment: commitmentToHex(oldAvailable), newCommitment: EMPTY_AVAILABLE_HEX, txHash },
      ];
    }
    case "Enrolled":
    case "PaymentKeySet":
    case "Guarded":
    case "AgentEnrolled":
    case "AgentSignerSet":
    case "PolicySet":
    case "Deposited":
    case "Limited": // Its commitments are those of the event before it.
    case "Paid": // Covered by its batch.
    case "AssetListed":
    case "DepositLimitSet":
      return [];
  }
}

function enrollmentOf(event: LedgerEvent): FinalEnrollment[] {
  const txHash = event.transactionHash;
  if (event.eventName === "Enrolled") {
    const { account, viewingKey, paymentKey } = event.args;
    return [{ kind: "enroll", account, says: [viewingKey, paymentKey], txHash }];
  }
  if (event.eventName === "AgentEnrolled") {
    const { agent, owner } = event.args;
    return [{ kind: "enroll_agent", account: agent, says: [owner], txHash }];
  }
  return [];
}

/**
 * Applies the final events of some blocks: indexes accounts, deposited money, notes, commitments and payments, then
 * settles operations. An operation signed for an earlier version of a policy fails with the event that raises the
 * version.
 *
 * @returns operations that seem to be over: the ledger must be asked about them
 */
export async function applyEvents(
  tx: Tx,
  chainId: ChainId,
  events: readonly LedgerEvent[],
  now: Date,
): Promise<string[]> {
  await indexEvents(tx, chainId, events);
  await followSigners(tx, chainId, events, now);
  await announceMovements(tx, chainId, events, now);
  const { carriedOut, doubtful } = await settleAvailableBalances(tx, chainId, availableChanges(events));
  const enrollments = events.flatMap(enrollmentOf);
  const txHashes = [...new Set(events.map(({ transactionHash }) => transactionHash))];
  await settleOperations(tx, chainId, { carriedOut, enrollments, txHashes, events }, now);
  await failOutdated(tx, chainId, now);
  // Payments without a known state: their owners sent them without the service, or the database was restored from an
  // older backup.
  const known = new Set(carriedOut.map(({ txHash }) => txHash));
  const [first] = paymentsInEvents(chainId, events).filter(({ txHash }) => !known.has(txHash));
  if (first) await rebuildLostPayments(tx, chainId, first.blockNumber, now);
  return [...doubtful, ...(await depositsUnderWay(tx, chainId, events))];
}

/** Indexes accounts, deposited money, notes and payments. */
export async function indexEvents(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  await indexAccounts(tx, chainId, events);
  await indexDepositedBalances(tx, chainId, events);
  await indexNotes(tx, chainId, events);
  await indexPayments(tx, chainId, events);
}
