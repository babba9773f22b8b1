import { formatAmount } from "@/lib/base/money";
import { availableCommitment, EMPTY_AVAILABLE } from "@/lib/ledger/crypto/commitments";
import { type HeldAsset, makeDecryptionProof } from "@/lib/ledger/decryption-proof";
import type { Asset } from "../../api/network-info";
import type { Context } from "../../context/context";
import { poll } from "../../context/operation";
import { type Party, partyOf } from "../party";
import { decryptFunds, type Funds } from "./funds";

/**
 * Waits until no payment of an asset is pending, and returns the funds. A proof names the available balance commitment
 * that the chain has.
 */
export function settledFunds(context: Context, party: Party, asset: Asset): Promise<Funds> {
  return poll(context, "A payment", async () => {
    const funds = await decryptFunds(context, party, asset);
    return funds.view.available.commitment === funds.view.available.newest_commitment ? funds : undefined;
  });
}

/** A decryption proof, and the totals it proves together with the deposited money, as decrypted on this machine. */
export interface ProvenHoldings {
  decryption_proof: string;
  /** Decimal strings, one per asset of the network. */
  held: { asset: string; amount: string }[];
}

/** Decrypts and proves what a party has. The amounts are to compare with the service's response; never send them. */
export async function proveHoldings(context: Context, party: Party): Promise<ProvenHoldings> {
  const [info, scope, chain, prove] = await Promise.all([
    context.info(),
    context.scope(),
    context.chain(),
    context.prover(),
  ]);
  const assets: HeldAsset[] = [];
  const held: ProvenHoldings["held"] = [];
  for (const asset of info.assets) {
    const { notes, available, deposited } = await settledFunds(context, party, asset);
    // The service requires every available balance that was ever used, even an empty one.
    const isHeld = notes.length > 0 || availableCommitment(available) !== EMPTY_AVAILABLE || deposited > 0n;
    if (isHeld) assets.push({ asset: asset.address, notes, available });
    const units = notes.reduce((sum, { amount }) => sum + amount, available.limit + deposited);
    held.push({ asset: asset.symbol, amount: formatAmount(units, asset.decimals) });
  }
  const request = {
    scope,
    account: party.address,
    block: await chain.client.getBlockNumber(),
    // This machine's clock may be behind.
    issuedAt: await chain.now(),
    assets,
  };
  return { decryption_proof: await makeDecryptionProof(request, prove), held };
}

/** Creates a `decryption_proof` for the balances endpoint. Implements `balances.prove`. */
export async function proof(context: Context, input: { agent?: string } = {}): Promise<{ decryption_proof: string }> {
  const { decryption_proof } = await proveHoldings(context, await partyOf(context, input.agent));
  return { decryption_proof };
}
