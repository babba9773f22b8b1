import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  erc20Abi,
  formatUnits,
  type Hex,
  isAddressEqual,
} from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { deriveAgentHalf, deriveOneTimeKey } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { returnCalldata, returnNonce, signExact, TAKE_SECONDS, tokenAbi } from "@/lib/ledger/exact/authorizations";
import { HalcyonError } from "../api/errors";
import type { Chain } from "../chain/chain";
import { domainOfToken } from "../chain/domain-of-token";
import { readRanges } from "../chain/ledger-events";
import { describeAsset } from "../chain/recover-assets";
import { sendFromWallet } from "../payments/funding/deposit";
import type { Recovery } from "./recover-steps";

/** The largest difference between the clocks of service and chain, in seconds. */
const CLOCKS_DIFFER = 300n;

/** A payment to a seller through a one-time address that the seller has not collected. */
export interface Unclaimed {
  /** The account that paid. */
  account: Address;
  symbol: string;
  token: Address;
  /** Decimal string. */
  amount: string;
  /** In the token's smallest units. */
  value: bigint;
  address: Address;
  privateKey: Hex;
  paymentId: Hex;
  /** Unix seconds: until then, the seller may collect it. */
  takenBefore: bigint;
}

interface PublicPayment {
  address: Address;
  token: Address;
  paymentId: Hex;
  blockNumber: bigint;
}

/** Reads the public payments of an account or agent from the chain. */
async function publicPayments(chain: Chain, account: Address, from: bigint): Promise<PublicPayment[]> {
  const newest = await chain.client.getBlockNumber();
  const query = {
    address: chain.ledger,
    abi: ledgerAbi,
    eventName: "Released",
    args: { account },
    strict: true,
  } as const;
  const events = await readRanges(chain.client, from, newest, (fromBlock, toBlock) =>
    chain.client.getContractEvents({ ...query, fromBlock, toBlock }),
  );
  return events.map(({ args: { to, asset, paymentId }, blockNumber }) => {
    return { address: to, token: asset, paymentId, blockNumber };
  });
}

/**
 * Finds the money at one-time addresses of an account and its agents (docs/design/payments.md): addresses that received
 * a public payment, and whose key is derived from an account's authority and the payment's id.
 *
 * @param authorities the account's authority, of every version
 * @param addresses the account, then its agents
 */
export async function findUnclaimed(
  chain: Chain,
  scope: Scope,
  authorities: readonly Uint8Array[],
  [account, ...agents]: readonly Address[],
  from: bigint,
): Promise<Unclaimed[]> {
  const found: Unclaimed[] = [];
  for (const payer of account === undefined ? [] : [account, ...agents]) {
    const own = payer === account ? authorities : authorities.map((each) => deriveAgentHalf(each, payer, scope));
    for (const payment of await publicPayments(chain, payer, from)) {
      const keys = own.map((authority) => deriveOneTimeKey(authority, scope, payment.paymentId));
      const key = keys.find(({ address }) => isAddressEqual(address, payment.address));
      const open = key && (await unclaimedOf(chain, payer, payment, key.privateKey).catch(orOtherAsset));
      if (open) found.push(open);
    }
  }
  return found;
}

/**
 * Skips a token without EIP-3009: it can't be a payment to a seller, so someone who held the secret sent it. It must
 * not stop the recovery.
 */
function orOtherAsset(error: unknown): null {
  const refused =
    error instanceof BaseError &&
    error.walk((one) => one instanceof ContractFunctionRevertedError || one instanceof ContractFunctionZeroDataError);
  if (refused) return null;
  throw error;
}

async function unclaimedOf(
  chain: Chain,
  account: Address,
  { address, token, paymentId, blockNumber }: PublicPayment,
  privateKey: Hex,
): Promise<Unclaimed | null> {
  const of = { address: token, abi: [...erc20Abi, ...tokenAbi] } as const;
  const [value, returned, decimals, { symbol }, { timestamp }] = await Promise.all([
    chain.client.readContract({ ...of, functionName: "balanceOf", args: [address] }),
    chain.client.readContract({ ...of, functionName: "authorizationState", args: [address, returnNonce(paymentId)] }),
    chain.client.readContract({ ...of, functionName: "decimals" }),
    describeAsset(chain, token),
    chain.client.getBlock({ blockNumber }),
  ]);
  // The money already went back to the owner. Tokens that a stranger sends to the address later are ignored.
  if (value === 0n || returned) return null;
  const takenBefore = timestamp + BigInt(TAKE_SECONDS) + CLOCKS_DIFFER;
  const amount = formatUnits(value, decimals);
  return { account, symbol, token, amount, value, address, privateKey, paymentId, takenBefore };
}

/**
 * Sends the money to `to` with a signature of the one-time address. The wallet pays the gas.
 *
 * @throws HalcyonError `invalid_request` while the seller may still collect it
 */
export async function withdrawUnclaimed(
  { chain, scope, wallet }: Pick<Recovery, "chain" | "scope" | "wallet">,
  { token, value, address, privateKey, paymentId, takenBefore }: Unclaimed,
  to: Address,
): Promise<Hex> {
  const { timestamp } = await chain.client.getBlock();
  if (timestamp < takenBefore) {
    const until = new Date(Number(takenBefore) * 1000).toISOString();
    throw new HalcyonError("invalid_request", `Its seller may take it until ${until}. Run this again afterwards.`);
  }
  const terms = { from: address, seller: address, returnTo: to, value, validBefore: takenBefore, paymentId };
  const { returnSignature } = await signExact(await domainOfToken(chain, scope.chainId, token), privateKey, terms);
  return sendFromWallet(chain, wallet, { to: token, data: returnCalldata(terms, returnSignature) });
}
