import { domainSeparator, encodeFunctionData, type Hex, parseAbi, zeroAddress } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { randomBytes, toHex } from "@/lib/ledger/bytes";
import type { Operation } from "./api-types";
import type { AttemptOptions } from "./attempt-options";
import type { Chain } from "./chain";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import type { Asset } from "./network-info";
import { confirmed, poll } from "./operation";
import { sendWith, type Wallet, type WalletCall } from "./wallet";

const tokenAbi = parseAbi([
  "function name() view returns (string)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function balanceOf(address) view returns (uint256)",
]);
/** `ReceiveWithAuthorization` of EIP-3009: only the ledger itself can present it. */
const AUTHORIZATION_TYPES = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
};

/** Signs a transaction with the wallet, sends it and waits for its block. */
export async function sendFromWallet(chain: Chain, wallet: Wallet, call: WalletCall): Promise<Hex> {
  const hash = await sendWith(wallet, call, chain.rpcUrl);
  await chain.mined(hash);
  return hash;
}

/** The token's EIP-712 domain; its version is not readable everywhere, so the whole is compared with the token's hash. */
async function tokenDomain(chain: Chain, chainId: number, token: Hex) {
  const [name, separator] = await Promise.all([
    chain.client.readContract({ address: token, abi: tokenAbi, functionName: "name" }),
    chain.client.readContract({ address: token, abi: tokenAbi, functionName: "DOMAIN_SEPARATOR" }),
  ]);
  const domain = { name, version: "1", chainId, verifyingContract: token };
  if (domainSeparator({ domain }) === separator) return domain;
  throw new HalcyonError("unavailable", "The token signs under a domain this version does not know.");
}

async function depositToken(context: Context, asset: Asset, value: bigint): Promise<Hex> {
  const [session, scope, chain] = await Promise.all([context.session(), context.scope(), context.chain()]);
  const { wallet } = context;
  const authorization = {
    from: wallet.address,
    to: scope.ledger,
    value,
    validAfter: 0n,
    validBefore: await chain.deadline(),
    nonce: toHex(randomBytes(32)),
  };
  const signature = await wallet.signTypedData({
    domain: await tokenDomain(chain, scope.chainId, asset.address),
    types: AUTHORIZATION_TYPES,
    primaryType: "ReceiveWithAuthorization",
    message: authorization,
  });
  const operation = await session.post<Operation>("/api/deposits", {
    asset: asset.symbol,
    from: authorization.from,
    value: authorization.value.toString(),
    valid_after: "0",
    valid_before: authorization.validBefore.toString(),
    nonce: authorization.nonce,
    signature,
  });
  return (await confirmed(context, operation, "The deposit")).tx_hash;
}

async function depositCoin(context: Context, asset: Asset, value: bigint): Promise<Hex> {
  const [session, chain] = await Promise.all([context.session(), context.chain()]);
  const before = await session.get<{ credit: string }>("/api/ledger", { asset: asset.symbol });
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "deposit", args: [zeroAddress, value] });
  const hash = await sendFromWallet(chain, context.wallet, { to: chain.ledger, data, value });
  await poll("The deposit", async () => {
    const now = await session.get<{ credit: string }>("/api/ledger", { asset: asset.symbol });
    return now.credit === before.credit ? undefined : now;
  });
  return hash;
}

/** What the wallet itself holds of an asset, in units of the ledger. The chain shows it to everybody. */
export async function walletUnits(context: Context, asset: Asset): Promise<bigint> {
  const { client } = await context.chain();
  const { address } = context.wallet;
  const smallest =
    asset.address === zeroAddress
      ? await client.getBalance({ address })
      : await client.readContract({
          address: asset.address,
          abi: tokenAbi,
          functionName: "balanceOf",
          args: [address],
        });
  return smallest / asset.unit;
}

/**
 * Moves units of an asset from the wallet to the account's public credit. USDG by an authorization the service relays
 * (EIP-3009); ETH by the wallet's own transaction, which costs it gas.
 *
 * @param units of the ledger: 1e-6 USDG, 1 gwei
 * @returns the hash of the deposit's transaction
 * @throws HalcyonError `insufficient_balance` when the wallet does not hold as much
 */
export async function deposit(
  context: Context,
  asset: Asset,
  units: bigint,
  _attempt: AttemptOptions = {},
): Promise<Hex> {
  if ((await walletUnits(context, asset)) < units) {
    throw new HalcyonError("insufficient_balance", "The wallet itself does not hold this much. Send it money first.");
  }
  const value = units * asset.unit;
  return asset.address === zeroAddress ? depositCoin(context, asset, value) : depositToken(context, asset, value);
}
