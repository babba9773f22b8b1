import type { Hex } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import type { AuthorityDraft } from "@/lib/ledger/authority/authority-documents";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { keySigner } from "@/lib/ledger/prepare/key-signer";

/**
 * Returns a call that needs authority (policy, guard, signers, payment key, abandonment), signed with a key, without
 * the service.
 */
export async function authorityCall(scope: Scope, draft: AuthorityDraft, key: Hex): Promise<Hex> {
  return authorityCalldata(await signAuthority(scope, draft, keySigner(key)));
}
