import { hexToCommitment } from "../crypto/field";
import type { Scope } from "../crypto/scope";
import { signRequestOf } from "../enrollment";
import type { SignRequest } from "../prepare/key-signer";
import type { AuthorityDraft } from "./authority-documents";

/** Returns what has to be signed for a document: all of its fields except the signature. */
export function authorityRequest(scope: Scope, draft: AuthorityDraft): SignRequest {
  const deadline = BigInt(draft.deadline);
  switch (draft.kind) {
    case "set_payment_key": {
      const { account, payment_key, payment_key_until, nonce } = draft;
      const message = {
        account,
        paymentKey: payment_key,
        paymentKeyUntil: BigInt(payment_key_until),
        nonce: BigInt(nonce),
        deadline,
      };
      return signRequestOf(scope, "SetPaymentKey", message);
    }
    case "set_guarded": {
      const { account, guarded, nonce } = draft;
      return signRequestOf(scope, "SetGuarded", { account, guarded, nonce: BigInt(nonce), deadline });
    }
    case "abandon": {
      const { account, asset, old_available, nonce } = draft;
      const oldAvailable = hexToCommitment(old_available);
      return signRequestOf(scope, "Abandon", { account, asset, oldAvailable, nonce: BigInt(nonce), deadline });
    }
    case "set_policy": {
      const { account, limited, recipients_root, document_hash, assets, commitments, policy_version } = draft;
      const hashes = { recipientsRoot: recipients_root, documentHash: document_hash };
      const policyVersion = BigInt(policy_version);
      const message = {
        account,
        limited,
        ...hashes,
        assets,
        commitments: commitments.map(hexToCommitment),
        policyVersion,
        deadline,
      };
      return signRequestOf(scope, "SetPolicy", message);
    }
    case "set_agent_signer": {
      const { owner, agents, signers, policy_versions, until } = draft;
      const policyVersions = policy_versions.map(BigInt);
      const message = { owner, agents, signers, policyVersions, until: BigInt(until), deadline };
      return signRequestOf(scope, "SetAgentSigner", message);
    }
  }
}
