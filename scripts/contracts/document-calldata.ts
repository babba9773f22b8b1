import { encodeFunctionData, type Hex } from "viem";
import { ledgerAbi } from "../../lib/chain/abi/ledger.ts";
import type { PreparedDocument } from "../../lib/ledger/documents.ts";
import { toProofCalldata } from "../../lib/ledger/proof.ts";

/** The ledger call of a prepared document. */
export function documentCalldata(document: PreparedDocument): Hex {
  const proof = toProofCalldata(document.proof);
  const { signature } = document;
  const deadline = BigInt(document.deadline);
  switch (document.kind) {
    case "transfer": {
      const { account, to, asset } = document;
      const words = { newBudget: BigInt(document.new_budget), note: BigInt(document.note) };
      const copies = {
        recipientCiphertext: document.recipient_ciphertext,
        payerCiphertext: document.payer_ciphertext,
      };
      const params = { account, to, asset, ...words, deadline, ...copies };
      return encodeFunctionData({ abi: ledgerAbi, functionName: "transfer", args: [params, proof, signature] });
    }
    case "release": {
      const { account, to, asset, payer_ciphertext: payerCiphertext } = document;
      const amounts = { newBudget: BigInt(document.new_budget), amount: BigInt(document.amount) };
      const params = { account, to, asset, ...amounts, deadline, payerCiphertext };
      return encodeFunctionData({ abi: ledgerAbi, functionName: "release", args: [params, proof, signature] });
    }
    case "fund": {
      const { account: from, to, asset } = document;
      const words = { fromNewBudget: BigInt(document.new_budget), toNewBudget: BigInt(document.to_new_budget) };
      const copies = { fromCiphertext: document.payer_ciphertext, toCiphertext: document.to_ciphertext };
      const params = { from, to, asset, ...words, deadline, ...copies };
      return encodeFunctionData({ abi: ledgerAbi, functionName: "fund", args: [params, proof, signature] });
    }
    case "allocate": {
      const { account, asset, ciphertext } = document;
      const notes = document.notes.map(BigInt) as unknown as readonly [
        bigint,
        bigint,
        bigint,
        bigint,
        bigint,
        bigint,
        bigint,
        bigint,
      ];
      const words = { newBudget: BigInt(document.new_budget), notes, changeNote: BigInt(document.change_note) };
      const params = { account, asset, ...words, credit: BigInt(document.credit), deadline, ciphertext };
      return encodeFunctionData({ abi: ledgerAbi, functionName: "allocate", args: [params, proof, signature] });
    }
  }
}
