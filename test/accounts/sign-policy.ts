import type { Address, Hex } from "viem";
import { planPolicy } from "@/lib/agents/plan-policy";
import { resolveRecipients } from "@/lib/agents/resolve-recipients";
import type { SignedPolicy } from "@/lib/agents/schema";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { newPolicySalt } from "@/lib/ledger/policy/policy-salts";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { seconds } from "./available-holder";
import type { Owner } from "./owner";

/** A policy to sign. `version` is the version that it creates. */
export interface PolicyToSign {
  policy: SpendPolicy;
  paused: boolean;
  version: bigint;
  /** False if an account removes its policy. */
  limited?: boolean;
}

/** Signs the policy of one of the owner's agents, or of the account itself, as the owner's client does. */
export async function signPolicyAs(
  { chainId, scope, walletKey }: Owner,
  holder: Address,
  { version, ...next }: PolicyToSign,
  key: Hex = walletKey,
): Promise<SignedPolicy> {
  const salt = newPolicySalt();
  const resolved = await resolveRecipients(chainId, next.policy);
  const draft = planPolicy(
    { ...scope, chainId },
    { address: holder },
    { ...next, setting: { salt, version, resolved } },
    seconds(3_600),
  );
  return {
    document: await signAuthority(scope, draft, keySigner(key)),
    salt: toHex(salt),
    resolved: resolved === "anyone" ? [] : resolved,
  };
}
