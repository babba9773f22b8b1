import type { Tx } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { ledgerPayments } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

/** A payment as an event shows it. */
export type ShownPayment = typeof ledgerPayments.$inferInsert;

/**
 * Returns the payments among events, in the order of the chain. A batch gives one payment for each `Paid` event; all of
 * them leave the available balance commitment of the preceding `BatchTransferred`.
 */
export function paymentsInEvents(chainId: ChainId, events: readonly LedgerEvent[]): ShownPayment[] {
  let batch: LedgerEvent<"BatchTransferred"> | undefined;
  return events.flatMap((event): ShownPayment[] => {
    if (event.eventName === "BatchTransferred") batch = event;
    if (event.eventName !== "Paid") return paymentOf(chainId, event);
    const { account: payer, to: recipient, asset, note } = event.args;
    const same = batch?.transactionHash === event.transactionHash && batch.args.account === payer;
    if (!batch || !same || batch.args.asset !== asset) throw new Error("the ledger says Paid of a batch only");
    const commitments = { knownBy: commitmentToHex(note), newCommitment: commitmentToHex(batch.args.newAvailable) };
    return [{ ...placeOf(chainId, event), kind: "transfer", payer, recipient, asset, ...commitments }];
  });
}

const placeOf = (chainId: ChainId, { blockNumber, logIndex, transactionHash }: LedgerEvent) => {
  return { chainId, blockNumber, logIndex, txHash: transactionHash };
};

function paymentOf(chainId: ChainId, event: LedgerEvent): ShownPayment[] {
  const place = placeOf(chainId, event);
  switch (event.eventName) {
    case "Transferred": {
      const { account: payer, to: recipient, asset, note, newAvailable } = event.args;
      const commitments = { knownBy: commitmentToHex(note), newCommitment: commitmentToHex(newAvailable) };
      return [{ ...place, kind: "transfer", payer, recipient, asset, ...commitments }];
    }
    case "Released": {
      const { account: payer, to: recipient, asset, paymentId: knownBy, newAvailable } = event.args;
      return [
        { ...place, kind: "release", payer, recipient, asset, knownBy, newCommitment: commitmentToHex(newAvailable) },
      ];
    }
    case "Funded": {
      const { from: payer, to: recipient, asset, paymentId: knownBy, fromNewAvailable } = event.args;
      return [
        { ...place, kind: "fund", payer, recipient, asset, knownBy, newCommitment: commitmentToHex(fromNewAvailable) },
      ];
    }
    case "Enrolled":
    case "PaymentKeySet":
    case "Guarded":
    case "Abandoned":
    case "AgentEnrolled":
    case "AgentSignerSet":
    case "PolicySet":
    case "Deposited":
    case "MadeAvailable":
    case "Limited":
    case "BatchTransferred":
    case "Paid":
    case "AssetListed":
    case "DepositLimitSet":
      return [];
  }
}

/** Indexes the payments of final blocks, no matter who sent the transactions. */
export async function indexPayments(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<void> {
  const rows = paymentsInEvents(chainId, events);
  if (rows.length > 0) await tx.execute(insertRows(ledgerPayments, rows));
}
