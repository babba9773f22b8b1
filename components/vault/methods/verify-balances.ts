import { type DecryptionProof, decodeDecryptionProof } from "@/lib/ledger/decryption-proof-document";
import { ownParty } from "@/sdk/account/party";
import type { Context } from "@/sdk/context/context";
import { type Balances, balances } from "@/sdk/funds/balances";
import { proveHoldings } from "@/sdk/funds/proof";

/** What was asked of the service, what it returned, and what was decrypted here. */
export interface VerifiedBalances {
  assets: { asset: string; decrypted: string; reported: string }[];
  /** Notes the proof could not count. */
  unopened: number;
  /** What left the browser: the document in the request's one field. Each of its proofs is of the asset beside it. */
  sent: { bytes: number; document: DecryptionProof; assets: string[] };
}

/** Proves the balances, has the service check them and compares its response with what was decrypted here. */
export async function verifyBalances(context: Context): Promise<VerifiedBalances> {
  const [party, { assets }] = await Promise.all([ownParty(context), context.info()]);
  const { decryption_proof, held } = await proveHoldings(context, party);
  const response: Balances = await balances(context, { decryptionProof: decryption_proof });
  const document = decodeDecryptionProof(decryption_proof);
  const symbolOf = (address: string) => assets.find((asset) => asset.address === address)?.symbol ?? address;
  return {
    assets: held.map(({ asset, amount }) => ({
      asset,
      decrypted: amount,
      // An asset the account never held is left out of the response.
      reported: response.balances.find((entry) => entry.asset === asset)?.amount ?? "0",
    })),
    unopened: response.unopened_notes ?? 0,
    sent: {
      bytes: JSON.stringify({ decryption_proof }).length,
      document,
      assets: document.proofs.map((entry) => symbolOf(entry.asset)),
    },
  };
}
