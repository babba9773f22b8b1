import { type Abi, encodeFunctionData, type Hex, prepareEncodeFunctionData } from "viem";
import type { PreparedDocument } from "@/lib/ledger/prepare/documents";
import { toProofCalldata } from "@/lib/ledger/prepare/proof";
import { ledgerAbi } from "./abi/ledger";

/** An encoder whose selector is computed once. */
function encoder(abi: Abi, functionName: string) {
  const prepared = prepareEncodeFunctionData({ abi, functionName });
  return (...args: readonly unknown[]): Hex => encodeFunctionData({ ...prepared, args });
}

const ledger = {
  allocate: encoder(ledgerAbi, "allocate"),
  transfer: encoder(ledgerAbi, "transfer"),
  release: encoder(ledgerAbi, "release"),
  fund: encoder(ledgerAbi, "fund"),
};

/** The ledger call that a prepared payment or allocation asks for. */
export function preparedCalldata(d: PreparedDocument): Hex {
  const proof = toProofCalldata(d.proof);
  const deadline = BigInt(d.deadline);
  const newBudget = BigInt(d.new_budget);
  switch (d.kind) {
    case "transfer": {
      const { account, to, asset, recipient_ciphertext, payer_ciphertext } = d;
      const ciphertexts = { recipientCiphertext: recipient_ciphertext, payerCiphertext: payer_ciphertext };
      return ledger.transfer(
        { account, to, asset, newBudget, note: BigInt(d.note), deadline, ...ciphertexts },
        proof,
        d.signature,
      );
    }
    case "release": {
      const { account, to, asset, payer_ciphertext } = d;
      return ledger.release(
        { account, to, asset, newBudget, amount: BigInt(d.amount), deadline, payerCiphertext: payer_ciphertext },
        proof,
        d.signature,
      );
    }
    case "fund":
      return ledger.fund(
        {
          from: d.account,
          to: d.to,
          asset: d.asset,
          fromNewBudget: newBudget,
          toNewBudget: BigInt(d.to_new_budget),
          deadline,
          fromCiphertext: d.payer_ciphertext,
          toCiphertext: d.to_ciphertext,
        },
        proof,
        d.signature,
      );
    case "allocate": {
      const { account, asset, ciphertext } = d;
      const notes = d.notes.map(BigInt);
      const inputs = { notes, credit: BigInt(d.credit), changeNote: BigInt(d.change_note) };
      return ledger.allocate({ account, asset, newBudget, ...inputs, deadline, ciphertext }, proof, d.signature);
    }
  }
}
