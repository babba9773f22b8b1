import { encodeFunctionData, type Hex } from "viem";
import type { AuthorityDocument } from "@/lib/ledger/authority/authority-documents";
import { ledgerAbi as abi } from "./abi/ledger";

/** Returns the ledger call for a signed authority document. Anyone may send it. */
export function authorityCalldata(d: AuthorityDocument): Hex {
  const { signature } = d;
  const deadline = BigInt(d.deadline);
  switch (d.kind) {
    case "set_payment_key": {
      const args = [d.account, d.payment_key, BigInt(d.payment_key_until), deadline, signature] as const;
      return encodeFunctionData({ abi, functionName: "setPaymentKey", args });
    }
    case "set_guarded": {
      const args = [d.account, d.guarded, deadline, signature] as const;
      return encodeFunctionData({ abi, functionName: "setGuarded", args });
    }
    case "abandon": {
      const args = [d.account, d.asset, deadline, signature] as const;
      return encodeFunctionData({ abi, functionName: "abandon", args });
    }
    case "set_policy": {
      const { account, limited, recipients_root: recipientsRoot, document_hash: documentHash, assets } = d;
      const params = {
        account,
        limited,
        recipientsRoot,
        documentHash,
        assets,
        commitments: d.commitments.map(BigInt),
        deadline,
      };
      return encodeFunctionData({ abi, functionName: "setPolicy", args: [params, signature] });
    }
    case "set_agent_signer": {
      const { owner, agents, signers } = d;
      const params = { owner, agents, signers, until: BigInt(d.until), deadline };
      return encodeFunctionData({ abi, functionName: "setAgentSigner", args: [params, signature] });
    }
  }
}
