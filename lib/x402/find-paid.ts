import { isAddressEqual, numberToHex, TransactionReceiptNotFoundError } from "viem";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { decodeLedgerLog } from "@/lib/ledger/ledger-events";
import type { Facilitated, Facilitation } from "./facilitation";

/**
 * A payment to the seller in a transaction, as anyone sees it: payer, payee and asset. Its amount, and what it is for, only the
 * seller's viewing key shows.
 */
export async function findPaid({ chainId, payTo, asset, presented }: Facilitation): Promise<Facilitated> {
  if (presented.mode !== "paid") return { refusal: "invalid_payload" };
  const { transaction: hash } = presented;
  const receipt = await publicClient(chainId)
    .getTransactionReceipt({ hash })
    .catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
  if (receipt?.status !== "success") return { refusal: "payment_not_found" };
  const { ledger } = chainEnv(chainId);
  const place = { blockNumber: numberToHex(receipt.blockNumber), transactionHash: hash };
  const paid = receipt.logs
    .filter(({ address }) => isAddressEqual(address, ledger))
    .map(({ topics, data, logIndex }) => decodeLedgerLog({ topics, data, logIndex: numberToHex(logIndex), ...place }))
    .filter((event) => event?.eventName === "Transferred" || event?.eventName === "Paid")
    .filter(({ args }) => isAddressEqual(args.to, payTo));
  if (paid.length === 0) return { refusal: "wrong_payee" };
  const inAsset = paid.find(({ args }) => isAddressEqual(args.asset, asset));
  return inAsset ? { payer: inAsset.args.account, transaction: hash } : { refusal: "wrong_asset" };
}
