import { encodeFunctionData, type Hex, size, sliceHex } from "viem";
import { batchCopyWords, copyWords } from "@/lib/ledger/encrypted/copy-words";
import { NO_RECIPIENT_PROOF, type RecipientProof } from "@/lib/ledger/policy/recipients-tree";
import type { SignedDocument, SignedPayment } from "@/lib/ledger/prepare/documents";
import { toProofCalldata } from "@/lib/ledger/prepare/proof";
import { ledgerAbi as abi } from "./abi/ledger";

/** Returns the parameters that all payments to one recipient share. */
function paymentParams(d: Exclude<SignedPayment, { kind: "fund" | "transfer_many" }>) {
  return {
    account: d.account,
    to: d.to,
    asset: d.asset,
    newAvailable: BigInt(d.new_available),
    deadline: BigInt(d.deadline),
    payerCiphertext: copyWords(d.payer_ciphertext),
  };
}

const noteParams = (d: { note: Hex; recipient_ciphertext: Hex }) => ({
  note: BigInt(d.note),
  recipientCiphertext: copyWords(d.recipient_ciphertext),
});

const publicParams = (d: { amount: string; payment_id: Hex }) => ({
  amount: BigInt(d.amount),
  paymentId: d.payment_id,
});

/**
 * Returns the ledger call for a client-signed payment or move to the available balance.
 *
 * @param recipient proof that the policy allows the recipient; for payments in mode 0 and 1 under a policy with named
 *   recipients
 * @param fromAgent for a `fund` that the agent pays: names the agent as the payer, where that saves gas
 */
export function documentCalldata(
  d: SignedDocument,
  recipient: RecipientProof = NO_RECIPIENT_PROOF,
  fromAgent = false,
): Hex {
  return withoutPadding(encoded(d, recipient, fromAgent), d.signature);
}

/**
 * Removes the zero padding after the signature, with which the call ends: it has no meaning, and calldata costs gas.
 */
function withoutPadding(data: Hex, signature: Hex): Hex {
  const padding = (32 - (size(signature) % 32)) % 32;
  return sliceHex(data, 0, size(data) - padding);
}

function encoded(d: SignedDocument, recipient: RecipientProof, fromAgent: boolean): Hex {
  const proof = toProofCalldata(d.proof);
  const { signature } = d;
  switch (d.kind) {
    case "transfer": {
      const params = { ...paymentParams(d), ...noteParams(d) };
      return encodeFunctionData({ abi, functionName: "transfer", args: [params, proof, signature] });
    }
    case "release": {
      const params = { ...paymentParams(d), ...publicParams(d) };
      return encodeFunctionData({ abi, functionName: "release", args: [params, proof, signature] });
    }
    case "spend": {
      const limited = { mode: d.mode, day: d.day, encryptedAmount: BigInt(d.encrypted_amount) };
      const params = { ...paymentParams(d), ...noteParams(d), ...limited };
      return encodeFunctionData({ abi, functionName: "spend", args: [params, recipient, proof, signature] });
    }
    case "spend_public": {
      const params = { ...paymentParams(d), ...publicParams(d), mode: d.mode, day: d.day };
      return encodeFunctionData({ abi, functionName: "spendPublic", args: [params, recipient, proof, signature] });
    }
    case "transfer_many": {
      const params = {
        account: d.account,
        asset: d.asset,
        newAvailable: BigInt(d.new_available),
        payments: d.payments.map((payment) => ({ to: payment.to, ...noteParams(payment) })),
        deadline: BigInt(d.deadline),
        payerCiphertext: batchCopyWords(d.payer_ciphertext),
      };
      return encodeFunctionData({ abi, functionName: "transferMany", args: [params, proof, signature] });
    }
    case "fund": {
      const params = {
        fromAgent,
        from: d.account,
        to: d.to,
        asset: d.asset,
        fromNewAvailable: BigInt(d.new_available),
        toNewAvailable: BigInt(d.to_new_available),
        paymentId: d.payment_id,
        deadline: BigInt(d.deadline),
        fromCiphertext: copyWords(d.payer_ciphertext),
        toCiphertext: copyWords(d.to_ciphertext),
      };
      return encodeFunctionData({ abi, functionName: "fund", args: [params, proof, signature] });
    }
    case "make_available": {
      const params = {
        account: d.account,
        asset: d.asset,
        newAvailable: BigInt(d.new_available),
        notes: d.notes.map(BigInt) as unknown as readonly [
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
        ],
        deposited: BigInt(d.deposited),
        changeNote: BigInt(d.change_note),
        deadline: BigInt(d.deadline),
        ciphertext: copyWords(d.ciphertext),
      };
      return encodeFunctionData({ abi, functionName: "makeAvailable", args: [params, proof, signature] });
    }
  }
}
