import type { Hex } from "viem";
import { removeLayer } from "@/lib/agents/wallet-layer";
import type { ContextAccount, KeyContext } from "@/lib/auth/context";
import { type RegistryRecord, readRecord } from "@/lib/chain/registry";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { openAgentWallet } from "@/lib/ledger/agent-wallet";
import { fromHex } from "@/lib/ledger/bytes";
import { deriveSpender } from "@/lib/ledger/keys";
import type { Scope } from "@/lib/ledger/scope";
import type { PaymentSecrets } from "./payment-secrets";

/** What signs a plain payment, and the viewing key its payer copies are sealed to. */
export interface Authority {
  privateKey: Hex;
  /** X of the account, for an agent its owner's. */
  viewingKey: Uint8Array;
}

/**
 * Who signs: an agent's own wallet what its policy has allowed, the account's spender everything else. The spender must
 * be able to sign until the deadline (Unix seconds).
 *
 * @param agent the agent's sealed wallet, of a payment its policy rules
 * @throws key_forbidden when the ledger would refuse the signer
 */
export async function authorize(
  ctx: KeyContext,
  scope: Scope,
  payer: ContextAccount,
  secrets: PaymentSecrets,
  agent: { wallet: Hex; secretVersion: number } | null,
  deadline: bigint,
): Promise<Authority> {
  const record = await readRecord(ctx.chainId, payer.rootAddress);
  if (!record) throw mayNotSign();
  const privateKey = agent ? walletKey(scope, payer, secrets, agent) : spenderKey(scope, secrets, record, deadline);
  return { privateKey, viewingKey: record.viewingKey };
}

function walletKey(
  scope: Scope,
  { address }: ContextAccount,
  secrets: PaymentSecrets,
  agent: { wallet: Hex; secretVersion: number },
): Hex {
  if (agent.secretVersion !== secrets.secretVersion) throw mayNotSign();
  const place = { scope, agent: address };
  return openAgentWallet(secrets.payer, place, removeLayer(env().serverPepper, place, fromHex(agent.wallet)));
}

function spenderKey(scope: Scope, { account }: PaymentSecrets, record: RegistryRecord, deadline: bigint): Hex {
  if (!account) throw new Error("an agent's key has no spender");
  const spender = deriveSpender(account, scope);
  const isRegistered = record.spender.toLowerCase() === spender.address.toLowerCase();
  if (!isRegistered || record.spenderUntil < deadline) throw mayNotSign();
  return spender.privateKey;
}

function mayNotSign(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This key may no longer sign payments of its account. Make a new key with the owner's client.",
  );
}
