import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { budgetStates } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { chainEnv } from "@/lib/chain/clients";
import { preparedCalldata } from "@/lib/chain/prepared-calldata";
import { lowerAddress } from "@/lib/chain/registry";
import type { ContextAccount } from "@/lib/context/context";
import { newId } from "@/lib/ids";
import type { PreparedPayment } from "@/lib/ledger/prepare/documents";
import type { ChainId } from "@/lib/network";
import { type SubmittedOperation, submitOperation } from "@/lib/operations/submit-operation";
import { appendTransferEvents, type TransferRow } from "./append-transfer-events";
import type { TransferView } from "./transfer-view";

/** A payment ready to go: proven and signed, its budget's row locked by the transaction. */
interface ReadyPayment {
  chainId: ChainId;
  payer: ContextAccount;
  recipient: Recipient;
  /** As the caller wrote it. */
  to: string;
  document: PreparedPayment;
  /** Version of the budget secret the next state is sealed under. */
  secretVersion: number;
  keyId: string | null;
  /** Made by the client (docs/protocol.md section 7). */
  prepared: boolean;
  /** The operations that make the states it builds on. */
  follows: readonly string[];
  /** The recipient's enrolment is under way: go by the same relayer. */
  afterRecipient: boolean;
}

/**
 * Records a payment in the caller's transaction: operation and signed bytes, next sealed state, transfer, events.
 * Broadcast the operation once that has committed.
 */
export async function recordTransfer(
  tx: Tx,
  payment: ReadyPayment,
): Promise<{ operation: SubmittedOperation; view: TransferView }> {
  const { chainId, payer, recipient, document: d } = payment;
  let view: TransferView | undefined;
  const operation = await submitOperation(
    tx,
    {
      chainId,
      kind: d.kind,
      account: payer.address,
      quotaOf: payer.rootAddress,
      target: lowerAddress(chainEnv(chainId).ledger),
      data: preparedCalldata(d),
      deadline: new Date(Number(d.deadline) * 1000),
      follows: payment.follows,
      after: payment.afterRecipient || d.kind === "fund" ? recipient.address : undefined,
    },
    async (submitted) => {
      const row = rowOf(payment, submitted);
      view = { row, payerHandle: payer.handle, payerAddress: payer.address, direction: "sent" };
      await Promise.all([
        tx.insert(budgetStates).values(statesOf(payment, submitted)),
        tx.insert(transfers).values(row),
        appendTransferEvents(
          tx,
          "transfer.initiated",
          [{ row, parties: { payer, recipient: recipient.account ?? undefined } }],
          submitted.createdAt,
        ),
      ]);
    },
  );
  if (!view) throw new Error("an operation was submitted without its transfer");
  return { operation, view };
}

function rowOf(
  { chainId, payer, recipient, to, document: d, keyId, prepared }: ReadyPayment,
  submitted: SubmittedOperation,
): TransferRow {
  return {
    id: newId("transfer"),
    chainId,
    kind: d.kind,
    status: "pending",
    payerId: payer.id,
    payerRootId: payer.rootId,
    recipientId: recipient.account?.id ?? null,
    recipientRootId: recipient.account?.rootId ?? null,
    recipientAddress: recipient.address,
    to,
    asset: d.asset,
    oldWord: d.old_budget,
    newWord: d.new_budget,
    note: d.kind === "transfer" ? d.note : null,
    recipientCiphertext: d.kind === "transfer" ? d.recipient_ciphertext : null,
    payerCiphertext: d.payer_ciphertext,
    memo: d.memo_ciphertext ?? null,
    recipientMemo: d.kind === "release" ? (d.recipient_memo_ciphertext ?? null) : null,
    keyId,
    operationId: submitted.id,
    txHash: submitted.txHash,
    createdAt: submitted.createdAt,
    confirmedAt: null,
    failedAt: null,
    prepared,
  };
}

function statesOf({ chainId, document: d, secretVersion }: ReadyPayment, submitted: SubmittedOperation) {
  const common = {
    chainId,
    asset: d.asset,
    secretVersion,
    status: "pending" as const,
    operationId: submitted.id,
    createdAt: submitted.createdAt,
  };
  const paid = { ...common, account: d.account, oldWord: d.old_budget, word: d.new_budget, ...d.next_state };
  if (d.kind !== "fund") return [paid];
  const to: Address = d.to;
  return [paid, { ...common, account: to, oldWord: d.to_old_budget, word: d.to_new_budget, ...d.to_next_state }];
}
