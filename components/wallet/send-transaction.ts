// Only deposits send transactions, so the code is loaded then.

import { type Address, type Hex, numberToHex } from "viem";
import type { Config } from "wagmi";
import { getConnectorClient } from "wagmi/actions";

interface Transaction {
  account: Address;
  chainId: number;
  to: Address;
  data?: Hex;
  value?: bigint;
}

/**
 * Asks the connected wallet once to send a transaction (EIP-1193, `eth_sendTransaction`), and returns its hash. The
 * action of wagmi asks again by another method if the wallet reports certain errors, also one that nodes report of a
 * transaction they already have; and a refusal of the second says nothing about the first.
 */
export async function sendTransaction(
  config: Config,
  { account, chainId, to, data, value }: Transaction,
): Promise<Hex> {
  const client = await getConnectorClient(config, { account, chainId });
  const transaction = { from: account, to, data, value: value === undefined ? undefined : numberToHex(value) };
  return client.request(
    { method: "eth_sendTransaction", params: [{ ...transaction, chainId: numberToHex(chainId) }] },
    { retryCount: 0 },
  );
}
