import { encodeFunctionData, type Hex, parseAbi, zeroAddress } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { AUTHORIZATION_FIELDS } from "@/lib/ledger/exact/authorization-fields";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Operation } from "../../api/resources/transfers";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Chain } from "../../chain/chain";
import { domainOfToken } from "../../chain/domain-of-token";
import { sendWith, type Wallet, type WalletCall } from "../../chain/wallet";
import type { Context } from "../../context/context";
import type { AttemptOptions } from "../attempts/attempt-options";
import { checkBeforeProving } from "../attempts/check-before-proving";
import { chainOutcome } from "../attempts/check-payment";
import { NothingMoved, OutcomeUnknown } from "../attempts/outcome-unknown";
import { hasLeftNothing, postAgain } from "../attempts/post-again";
import { caughtUp, settledOnChain } from "../attempts/settle";
import { DepositRecord } from "./deposit-record";

const tokenAbi = parseAbi(["function balanceOf(address) view returns (uint256)"]);
/** `ReceiveWithAuthorization` of EIP-3009: only the ledger itself can use the authorization. */
const AUTHORIZATION_TYPES = { ReceiveWithAuthorization: AUTHORIZATION_FIELDS };

/** Signs a transaction with the wallet, sends it and waits for its block, within the limits of the chain's call. */
export async function sendFromWallet(chain: Chain, wallet: Wallet, transaction: WalletCall): Promise<Hex> {
  const hash = await sendWith(wallet, transaction, chain.rpcUrl, chain.call);
  await chain.mined(hash);
  return hash;
}

async function depositToken(context: Context, asset: Asset, value: bigint, record: DepositRecord): Promise<Hex> {
  const [session, scope, chain] = await Promise.all([context.session(), context.scope(), context.chain()]);
  const { wallet } = context;
  const validBefore = await chain.deadline();
  const earlier = record.pending;
  // Check before the wallet is asked to sign and before anything is sent.
  if (!earlier) {
    await checkBeforeProving(context, { act: "deposit", payer: { address: wallet.address, query: {} }, asset });
  }
  const authorization = {
    from: wallet.address,
    to: scope.ledger,
    value,
    validAfter: 0n,
    validBefore,
    // The same in every try: the token accepts a nonce only once.
    nonce: record.nonce,
  };
  const signature = await wallet.signTypedData({
    domain: await domainOfToken(chain, scope.chainId, asset.address),
    types: AUTHORIZATION_TYPES,
    primaryType: "ReceiveWithAuthorization",
    message: authorization,
  });
  const pending = await record.leaving({ authorization: record.nonce, deadline: Number(authorization.validBefore) });
  const body = {
    asset: asset.symbol,
    from: authorization.from,
    value: authorization.value.toString(),
    valid_after: "0",
    valid_before: authorization.validBefore.toString(),
    nonce: authorization.nonce,
    signature,
  };
  let operation: Operation | undefined;
  try {
    operation = await postAgain(context.call, () => session.post<Operation>("/api/deposits", body));
  } catch (error) {
    if (!earlier && hasLeftNothing(error)) throw error;
    const seen = await chainOutcome(context, pending).catch(() => null);
    if (seen?.outcome !== "settled") throw new OutcomeUnknown(pending, toHalcyonError(error));
  }
  const { tx_hash } = await settledOnChain(context, pending);
  const { operation_id } = operation ?? {};
  if (operation_id) await caughtUp(context, () => session.get<Operation>(`/api/operations/${operation_id}`));
  return tx_hash;
}

async function depositCoin(context: Context, asset: Asset, value: bigint, record: DepositRecord): Promise<Hex> {
  const [session, chain] = await Promise.all([context.session(), context.chain()]);
  const before = await session.get<{ deposited: string }>("/api/ledger", { asset: asset.symbol });
  const call = encodeFunctionData({ abi: ledgerAbi, functionName: "deposit", args: [zeroAddress, value] });
  const mark = { authorization: record.nonce, deadline: 0 };
  // The ledger ignores the mark at the end, by which the transaction is found even if the wallet never names its hash.
  const data: Hex = `${call}${record.nonce.slice(2)}`;
  const transaction = { to: chain.ledger, data, value };
  const leaving = () => record.leaving(mark);
  const tx_hash = await sendWith(context.wallet, transaction, chain.rpcUrl, context.call, leaving).catch((error) => {
    const left = record.pending;
    if (!left?.documents.includes(mark)) throw error;
    const isDeclined = ["aborted", 4001].includes(error?.code);
    throw new (isDeclined ? NothingMoved : OutcomeUnknown)(left, toHalcyonError(error));
  });
  await settledOnChain(context, await record.leaving({ ...mark, tx_hash }));
  await caughtUp(context, async () => {
    const now = await session.get<{ deposited: string }>("/api/ledger", { asset: asset.symbol });
    return { status: now.deposited === before.deposited ? "pending" : "confirmed" };
  });
  return tx_hash;
}

/** Returns the wallet's own balance of an asset, in ledger units. It is public on chain. */
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
 * Moves units of an asset from the wallet to the account's deposited money. For USDG, the service relays an
 * authorization (EIP-3009); for ETH, the wallet sends its own transaction and pays its gas.
 *
 * @param units of the ledger: 1e-6 USDG, 1 gwei
 * @returns the hash of the deposit's transaction
 * @throws HalcyonError `insufficient_balance` when the wallet does not hold enough; OutcomeUnknown, NothingMoved
 */
export async function deposit(
  context: Context,
  asset: Asset,
  units: bigint,
  options: AttemptOptions = {},
): Promise<Hex> {
  const record = await DepositRecord.begin(context, asset, options);
  const earlier = record.pending && (await chainOutcome(context, record.pending));
  if (earlier?.outcome === "settled") return earlier.tx_hash;
  const isCoin = asset.address === zeroAddress;
  // The wallet's own transaction does not expire and can't be sent twice identically, so wait for it.
  if (isCoin && record.pending && earlier?.outcome === "open") throw new OutcomeUnknown(record.pending);
  if ((await walletUnits(context, asset)) < units) {
    throw new HalcyonError("insufficient_balance", "The wallet itself does not hold this much. Send it money first.");
  }
  const value = units * asset.unit;
  return isCoin ? depositCoin(context, asset, value, record) : depositToken(context, asset, value, record);
}
