import { type DecryptionProof, decodeDecryptionProof } from "@/lib/ledger/decryption-proof-document";
import { balances, type DecryptedBalances } from "@/sdk/account/funds/balances";
import { proveHoldings } from "@/sdk/account/funds/proof";
import { ownParty } from "@/sdk/account/party";
import type { Context } from "@/sdk/context/context";
import type { Tools } from "./method";

/** What was sent to the service, what it returned, and what was decrypted here. */
export interface VerifiedBalances {
  assets: { asset: string; decrypted: string; reported: string }[];
  /** How many notes the proof could not count. */
  undecrypted: number;
  /**
   * What left the browser: the document in the request's only field. Each of its proofs belongs to the asset at the
   * same index.
   */
  sent: { bytes: number; document: DecryptionProof; assets: string[] };
}

/**
 * Proves the balances, has the service check them, and compares its response with what was decrypted here.
 * Reports progress once, when the proof is about to leave.
 */
export async function verifyBalances(
  context: Context,
  _: undefined,
  { progress }: Pick<Tools, "progress">,
): Promise<VerifiedBalances> {
  const [party, { assets }] = await Promise.all([ownParty(context), context.info()]);
  const { decryption_proof, held } = await proveHoldings(context, party);
  progress(1, 2);
  const response: DecryptedBalances = await balances(context, { decryptionProof: decryption_proof });
  const document = decodeDecryptionProof(decryption_proof);
  const symbolOf = (address: string) => assets.find((asset) => asset.address === address)?.symbol ?? address;
  return {
    assets: held.map(({ asset, amount }) => ({
      asset,
      decrypted: amount,
      // The response leaves out assets that the account never held.
      reported: response.balances.find((entry) => entry.asset === asset)?.amount ?? "0",
    })),
    undecrypted: response.undecrypted_notes ?? 0,
    sent: {
      bytes: JSON.stringify({ decryption_proof }).length,
      document,
      assets: document.proofs.map((entry) => symbolOf(entry.asset)),
    },
  };
}
