import { type Address, type Hex, parseEventLogs, type TransactionReceipt, TransactionReceiptNotFoundError } from "viem";
import { formatAmount } from "@/lib/base/money";
import { CHAIN_ID, NETWORKS, type Network } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { provesReceipt, type Receipt } from "@/lib/ledger/receipt";
import { HalcyonError } from "../../api/errors";
import type { NetworkInfo } from "../../api/network-info";
import type { Chain } from "../../chain/chain";

/** The contents of a receipt that was verified on chain. Addresses in lower case. */
export interface VerifiedReceipt {
  network: Network;
  /** Decimal string. */
  amount: string;
  asset: string;
  from: Address;
  to: Address;
  tx_hash: Hex;
  block: string;
  /** The time of the block: ISO 8601, UTC. */
  mined_at: string;
  /** Whether the block can't be undone any more, by the service's finality. */
  final: boolean;
}

const refuse = (message: string) => new HalcyonError("invalid_request", message);

/** The properties of a network that are needed to check a receipt. */
export type ReceiptNetwork = Pick<NetworkInfo, "network" | "chainId" | "ledger" | "assets" | "finality">;

/**
 * Returns the network of a receipt.
 *
 * @throws HalcyonError `invalid_request` for a chain that the service does not use
 */
export function networkOfReceipt({ chainId }: Receipt): Network {
  const network = NETWORKS.find((name) => CHAIN_ID[name] === chainId);
  if (network) return network;
  throw refuse("This receipt is of a chain that this service does not use.");
}

/**
 * Compares a receipt with the chain: it must be exactly this payment, in this transaction, and the amount must
 * recompute its note.
 *
 * @throws HalcyonError `invalid_request`: invalid, the message says why; `unavailable`: the chain could not be read
 */
export async function checkReceipt(receipt: Receipt, network: ReceiptNetwork, chain: Chain): Promise<VerifiedReceipt> {
  if (receipt.chainId !== network.chainId) {
    throw refuse(`This receipt is of the ${networkOfReceipt(receipt)} network, not of ${network.network}.`);
  }
  const asset = network.assets.find(({ address }) => lowerCase(address) === receipt.asset);
  if (lowerCase(network.ledger) !== receipt.ledger || !asset) {
    throw refuse("This receipt is of a ledger that is not this service's. It proves nothing here.");
  }
  const { client } = chain;
  const [chainId, mined] = await Promise.all([client.getChainId(), transactionOf(chain, receipt.txHash)]);
  if (chainId !== receipt.chainId) {
    throw new HalcyonError("unavailable", "The RPC address belongs to another chain. Check it and try again.");
  }
  if (mined?.status !== "success") throw refuse("The chain has no such payment: its transaction does not exist.");
  const { blockNumber, transactionHash } = mined;
  // A payment of a batch is like a single one, except for its event.
  const events = parseEventLogs({ abi: ledgerAbi, eventName: ["Transferred", "Paid"], logs: mined.logs });
  const shown = events.map(({ address, args }) => ({ chainId, ledger: address, transactionHash, args }));
  if (!provesReceipt(receipt, shown)) {
    throw refuse("The chain shows another payment than this receipt. Something in it was changed.");
  }
  const [block, newest] = await Promise.all([
    client.getBlock({ blockNumber }),
    client.getBlock({ blockTag: network.finality }),
  ]);
  return {
    network: network.network,
    amount: formatAmount(receipt.amount, asset.decimals),
    asset: asset.symbol,
    from: receipt.payer,
    to: receipt.recipient,
    tx_hash: receipt.txHash,
    block: blockNumber.toString(),
    mined_at: new Date(Number(block.timestamp) * 1000).toISOString(),
    final: newest.number >= blockNumber,
  };
}

async function transactionOf({ client }: Chain, hash: Hex): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}
