import type { Hex } from "viem";
import { removeLayer } from "@/lib/agents/wallet-layer";
import { spenderExpired } from "@/lib/budgets/spender-until";
import { type RegistryRecord, readRecord } from "@/lib/chain/registry";
import { viewingKeyOf } from "@/lib/chain/viewing-key-of";
import type { ContextAccount } from "@/lib/context/context";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { deriveSpender } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { openAgentWallet } from "@/lib/ledger/seal/agent-wallet";
import type { ChainId } from "@/lib/network";
import type { PaymentSecrets } from "./payment-secrets";

/** What the ledger says of who pays, looked up before any budget is locked. */
export interface PayerRecord {
  /** Of the account, for an agent its owner's. */
  record: RegistryRecord;
  /** X its payer copies are sealed to, by the ledger's registry. */
  viewingKey: Uint8Array;
}

/**
 * Reads who pays; null when it is not enrolled.
 *
 * @throws ApiError `unavailable` when the chain cannot be asked, or says something else than the database
 */
export async function readPayer(chainId: ChainId, payer: ContextAccount): Promise<PayerRecord | null> {
  const [record, key] = await Promise.all([
    readRecord(chainId, payer.rootAddress),
    viewingKeyOf(chainId, payer.address),
  ]);
  return record && key && { record, viewingKey: key.viewingKey };
}

/** What signs a plain payment, and the viewing key its payer copies are sealed to. */
interface Authority {
  privateKey: Hex;
  viewingKey: Uint8Array;
}

/**
 * Who signs: an agent's own wallet what its policy has allowed, the account's spender everything else. The spender must
 * be able to sign until the deadline (Unix seconds).
 *
 * @param says what `readPayer` found
 * @param agent the agent's sealed wallet, of a payment its policy rules
 * @throws key_forbidden when the ledger would refuse the signer
 */
export function resolveSigner(
  scope: Scope,
  payer: ContextAccount,
  says: PayerRecord | null,
  secrets: PaymentSecrets,
  agent: { wallet: Hex; secretVersion: number } | null,
  deadline: bigint,
): Authority {
  if (!says) throw mayNotSign();
  const { record, viewingKey } = says;
  const privateKey = agent ? walletKey(scope, payer, secrets, agent) : spenderKey(scope, secrets, record, deadline);
  return { privateKey, viewingKey };
}

function walletKey(
  scope: Scope,
  { address }: ContextAccount,
  secrets: PaymentSecrets,
  agent: { wallet: Hex; secretVersion: number },
): Hex {
  if (agent.secretVersion !== secrets.secretVersion) throw mayNotSign();
  const ref = { scope, agent: address };
  return openAgentWallet(secrets.payer, ref, removeLayer(env().serverPepper, ref, fromHex(agent.wallet)));
}

function spenderKey(scope: Scope, { account }: PaymentSecrets, record: RegistryRecord, deadline: bigint): Hex {
  if (!account) throw new Error("an agent's key has no payment signing key");
  const spender = deriveSpender(account, scope);
  const isRegistered = record.spender.toLowerCase() === spender.address.toLowerCase();
  if (!isRegistered) throw mayNotSign();
  if (record.spenderUntil < deadline) throw spenderExpired();
  return spender.privateKey;
}

function mayNotSign(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This key may no longer sign payments of its account. Create a new key in the dashboard, or with the SDK or the command line.",
  );
}
