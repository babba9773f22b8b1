import { type Hex, isAddressEqual } from "viem";
import type { Chain } from "./chain";

/** Returns a transaction that the service names, or null if the chain does not show that it made this call. */
export async function carriedIn({ client, ledger }: Chain, data: Hex, named?: Hex | null): Promise<Hex | null> {
  if (!named) return null;
  const [transaction, receipt] = await Promise.all([
    client.request({ method: "eth_getTransactionByHash", params: [named] }),
    client.getTransactionReceipt({ hash: named }),
  ]).catch(() => []);
  if (!transaction?.to || receipt?.status !== "success") return null;
  return isAddressEqual(transaction.to, ledger) && transaction.input === data ? transaction.hash : null;
}
