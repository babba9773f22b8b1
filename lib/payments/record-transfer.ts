import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { availableStates } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import type { ContextAccount } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { lowerAddress } from "@/lib/chain/registry";
import type { RecipientProof } from "@/lib/ledger/policy/recipients-tree";
import type { SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { appendTransferEvents, type TransferRow } from "./append-transfer-events";
import { NO_DETAILS, type PaymentDetails } from "./details/payment-details";
import { failingGas, failsAlways } from "./fails-always";
import { recordPurposes } from "./purposes";
import type { TransferView } from "./transfer-view";

type AnyPayment = SignedPayment | SignedTransferMany;

/** The recipient, and `to` as the caller specified it. */
interface Payee {
  recipient: Recipient;
  to: string;
  /** Its details; none by default. */
  details?: PaymentDetails | undefined;
}

/** One payment of a batch. */
interface BatchPayee extends Payee {
  /** If the payments come from several requests: the API key of this one's. */
  keyId?: string | undefined;
}

/** Payments that are proved and signed. The transaction must have locked their available balance's row. */
interface Ready<D extends AnyPayment> {
  chainId: ChainId;
  payer: ContextAccount;
  document: D;
  /** The version of the account secret under which the next state is encrypted. */
  secretVersion: number;
  keyId: string | null;
  /** Whether the client made it (docs/protocol.md section 7). */
  clientSigned: boolean;
  /** The operations that make the states it builds on, and its policy. */
  follows: readonly string[];
  /** Whether a contract wallet signed, so that the call burns more gas. */
  byContract?: boolean;
  /** Proves to the ledger that the policy lists the recipient. */
  recipientProof?: RecipientProof;
  /** The recipient, if its enrollment is pending: use the same relayer. */
  after?: Address;
}

interface ReadyPayment extends Ready<SignedPayment>, Payee {
  /** Whether the recipient's enrollment is pending. */
  afterRecipient: boolean;
}

interface ReadyBatch extends Ready<SignedTransferMany> {
  /** In the order of the document. */
  payees: readonly BatchPayee[];
}

/**
 * Records a payment in the caller's transaction: operation and signed bytes, next encrypted state, transfer, events.
 * Broadcast the operation once the transaction has committed.
 */
export async function recordTransfer(
  tx: Tx,
  { recipient, to, details, afterRecipient, ...payment }: ReadyPayment,
): Promise<{ operation: SubmittedOperation; view: TransferView }> {
  const { document } = payment;
  const after = afterRecipient || document.kind === "fund" ? recipient.address : undefined;
  const { operation, views } = await record(tx, { ...payment, after }, [
    { recipient, to, details, row: rowOfOne(document) },
  ]);
  const [view] = views;
  if (!view) throw new Error("an operation was submitted without its transfer");
  return { operation, view };
}

/** Like {@link recordTransfer}, for a batch: one operation and one state, with a transfer for each payment. */
export async function recordBatch(
  tx: Tx,
  { payees, ...batch }: ReadyBatch,
): Promise<{ operation: SubmittedOperation; views: TransferView[] }> {
  const { payments } = batch.document;
  if (payees.length !== payments.length) throw new Error("every payment of a batch has its recipient");
  const list = payees.map((payee, index) => {
    const {
      note,
      recipient_ciphertext: recipientCiphertext,
      memo_ciphertext: memo = null,
    } = payments[index] ?? NO_PAYMENT;
    return { ...payee, row: { kind: "transfer" as const, note, recipientCiphertext, memo, batchIndex: index } };
  });
  return record(tx, batch, list);
}

const NO_PAYMENT = { note: "0x", recipient_ciphertext: "0x", memo_ciphertext: undefined } as const;

/** Columns of a payment's row that differ within a batch. */
type OwnColumns = Pick<TransferRow, "kind"> &
  Partial<
    Pick<TransferRow, "note" | "paymentId" | "mode" | "batchIndex" | "recipientCiphertext" | "memo" | "recipientMemo">
  >;

function rowOfOne(d: SignedPayment): OwnColumns {
  const memo = d.memo_ciphertext ?? null;
  const mode = "mode" in d ? d.mode : null;
  switch (d.kind) {
    case "transfer":
    case "spend":
      return { kind: "transfer", mode, note: d.note, recipientCiphertext: d.recipient_ciphertext, memo };
    case "release":
    case "spend_public": {
      const recipientMemo = d.recipient_memo_ciphertext ?? null;
      return { kind: "release", mode, paymentId: d.payment_id, memo, recipientMemo };
    }
    case "fund":
      return { kind: "fund", paymentId: d.payment_id, memo };
  }
}

async function record(
  tx: Tx,
  ready: Ready<AnyPayment>,
  payees: readonly (BatchPayee & { row: OwnColumns })[],
): Promise<{ operation: SubmittedOperation; views: TransferView[] }> {
  const { chainId, payer, document: d } = ready;
  let views: TransferView[] = [];
  const data = documentCalldata(d, ready.recipientProof, payer.type === "agent");
  const isToFail = payees.some(({ recipient }) => failsAlways(chainId, recipient));
  const operation = await submitOperation(
    tx,
    {
      chainId,
      kind: d.kind,
      account: payer.address,
      quotaOf: payer.rootAddress,
      target: lowerAddress(chainEnv(chainId).ledger),
      data,
      gas: isToFail ? failingGas(data) : undefined,
      deadline: new Date(Number(d.deadline) * 1000),
      policyVersion: "policy_version" in d ? BigInt(d.policy_version) : undefined,
      follows: ready.follows,
      byContract: ready.byContract,
      after: ready.after,
    },
    async (submitted) => {
      const list = payees.map(({ recipient, to, details = NO_DETAILS, keyId = ready.keyId, row }) => ({
        row: { ...rowOf(ready, recipient, nameOf(recipient, to, details), submitted), ...details, keyId, ...row },
        parties: { payer, recipient: recipient.account ?? undefined },
      }));
      views = list.map(({ row }) => ({
        row,
        payerHandle: payer.handle,
        payerAddress: payer.address,
        direction: "sent",
      }));
      const rows = list.map(({ row }) => row);
      const [only] = rows;
      const finish = await recordPurposes(tx, rows, submitted.createdAt);
      await Promise.all([
        tx.insert(availableStates).values(statesOf(ready, submitted)),
        rows.length === 1 && only ? tx.insert(transfers).values(only) : tx.execute(insertRows(transfers, rows)),
        appendTransferEvents(tx, "transfer.initiated", list, submitted.createdAt),
      ]);
      await finish();
    },
  );
  return { operation, views };
}

/** Links and schedules pay an address that was fixed earlier, so record the handle, which people look for. */
function nameOf({ account }: Recipient, to: string, { paymentRequestId, scheduleRunId }: PaymentDetails): string {
  const isFixed = paymentRequestId !== null || scheduleRunId !== null;
  return isFixed && account ? `@${account.handle}` : to;
}

function rowOf(
  { chainId, payer, document: d, keyId, clientSigned }: Ready<AnyPayment>,
  recipient: Recipient,
  to: string,
  submitted: SubmittedOperation,
): Omit<TransferRow, "kind" | keyof PaymentDetails> {
  return {
    id: newId("transfer"),
    chainId,
    status: "pending",
    payerId: payer.id,
    payerRootId: payer.rootId,
    recipientId: recipient.account?.id ?? null,
    recipientRootId: recipient.account?.rootId ?? null,
    recipientAddress: recipient.address,
    to,
    asset: d.asset,
    oldCommitment: d.old_available,
    newCommitment: d.new_available,
    note: null,
    paymentId: null,
    mode: null,
    batchIndex: null,
    recipientCiphertext: null,
    payerCiphertext: d.payer_ciphertext,
    memo: null,
    recipientMemo: null,
    keyId,
    operationId: submitted.id,
    txHash: submitted.txHash,
    createdAt: submitted.createdAt,
    confirmedAt: null,
    failedAt: null,
    clientSigned,
  };
}

function statesOf({ chainId, document: d, secretVersion }: Ready<AnyPayment>, submitted: SubmittedOperation) {
  const common = {
    chainId,
    asset: d.asset,
    secretVersion,
    status: "pending" as const,
    operationId: submitted.id,
    createdAt: submitted.createdAt,
  };
  const paid = {
    ...common,
    account: d.account,
    oldCommitment: d.old_available,
    commitment: d.new_available,
    ...d.next_state,
  };
  if (d.kind !== "fund") return [paid];
  const to: Address = d.to;
  return [
    paid,
    { ...common, account: to, oldCommitment: d.to_old_available, commitment: d.to_new_available, ...d.to_next_state },
  ];
}
