import type { Address } from "viem";
import { formatAmount } from "@/lib/base/money";
import type { Network } from "@/lib/base/network";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Context } from "../../context/context";
import { challengeText } from "./check-proof-of-funds";
import { needsConsent } from "./create-proof-of-funds";
import { type ProofOfFundsInput, requestOf } from "./request-of";
import { readShownRecord } from "./shown-record";

/** What a verifier has seen of one asset. */
export interface ShownProof {
  verifier: string;
  asset: string;
  /** The highest minimum shown, as a decimal string; null when none was shown. */
  at_least: string | null;
  /** ISO 8601, UTC. */
  asked_at: string;
}

/** What a proof of funds would show, before it is created. */
export interface ProofOfFundsPreview {
  network: Network;
  /** Lower case. */
  account: Address;
  at_least: string;
  asset: string;
  verifier: string;
  purpose: string;
  /** Null for a random challenge. */
  challenge: string | null;
  /** ISO 8601, UTC. */
  expires_at: string;
  /** True if this verifier asks for more than it saw in the last 30 days: `create` then needs `again`. */
  needs_again: boolean;
  /** Everything that the account's proofs of funds have shown, newest first. */
  shown: ShownProof[];
}

/** Previews what a proof of funds would show, without reading the balance. Implements `proofsOfFunds.preview`. */
export async function previewProofOfFunds(context: Context, input: ProofOfFundsInput): Promise<ProofOfFundsPreview> {
  const now = new Date();
  const request = await requestOf(context, input, now);
  const [info, record] = await Promise.all([context.info(), readShownRecord(context)]);
  const shown = record.entries.flatMap(({ verifier, asset: token, highest, askedAt }) => {
    const asset = info.assets.find(({ address }) => lowerCase(address) === token);
    if (!asset) return [];
    const at_least = highest === 0n ? null : formatAmount(highest, asset.decimals);
    return [{ verifier, asset: asset.symbol, at_least, asked_at: askedAt.toISOString() }];
  });
  return {
    network: info.network,
    account: lowerCase(context.wallet.address),
    at_least: formatAmount(request.minimum, request.asset.decimals),
    asset: request.asset.symbol,
    verifier: request.verifier,
    purpose: request.purpose,
    challenge: request.challenge === undefined ? null : challengeText(request.challenge),
    expires_at: new Date(Number(request.expires) * 1000).toISOString(),
    needs_again: needsConsent(record, request, now),
    shown: shown.sort((a, b) => b.asked_at.localeCompare(a.asked_at)),
  };
}
