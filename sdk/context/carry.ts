import type { Hex } from "viem";
import type { Operation } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { Chain } from "../chain/chain";
import { sendWith, type Wallet, type WalletCall } from "../chain/wallet";
import type { Context } from "./context";

/** A call of the wallet's that anyone may send to the ledger, since it is signed. */
export interface SignedCall {
  /** Begins a sentence: "The new payment signing key". */
  what: string;
  data: Hex;
  /** Asks the service to send it. */
  relay(): Promise<Operation>;
  /** Whether the chain shows what the call was for, no matter who sent it. */
  isDone(): Promise<boolean>;
  /** Whether the chain has moved on so that this signature can never hold any more. */
  isVoid?(): Promise<boolean>;
}

/** How a call reached the ledger. */
export interface Carried {
  by: "service" | "wallet";
  /** Of the service's last response when the service sent it. */
  tx_hash: Hex | null;
}

const PAUSE_MS = 250;

/** Waits until the chain shows it, the service gives up on it, or patience ends. Returns why it stopped waiting. */
async function awaitRelay(context: Context, call: SignedCall, patienceMs: number): Promise<Carried | HalcyonError> {
  let operation: Operation;
  try {
    operation = await call.relay();
  } catch (error) {
    return toHalcyonError(error);
  }
  const session = await context.session();
  const path = `/api/operations/${operation.operation_id}`;
  for (const end = Date.now() + patienceMs; ; ) {
    // What the service says only cuts the wait short: the chain alone says that it is done.
    const latest = await session.get<Operation>(path).catch(() => operation);
    if (await call.isDone()) return { by: "service", tx_hash: latest.tx_hash };
    if (await call.isVoid?.())
      return new HalcyonError("budget_changed", "The account has moved on meanwhile. Try again.");
    if (latest.status === "failed" || Date.now() >= end) break;
    await context.call.pause(PAUSE_MS);
  }
  return new HalcyonError("unavailable", "The service took it and did not carry it to the chain.");
}

/** Whether the wallet could send a transaction by itself: it knows how to, and has something to pay gas with. */
export async function paysGas(chain: Chain, wallet: Wallet): Promise<boolean> {
  return wallet.sendTransaction !== undefined && (await chain.client.getBalance({ address: wallet.address })) > 0n;
}

const sending = new WeakMap<Wallet, Promise<unknown>>();

/** Sends after all that was sent before: wallets count their transactions, and two at once would get one number. */
async function sendInTurn(chain: Chain, wallet: Wallet, call: WalletCall): Promise<Hex> {
  const before = sending.get(wallet) ?? Promise.resolve();
  const sent = before.then(() => sendWith(wallet, call, chain.rpcUrl, chain.call));
  sending.set(
    wallet,
    sent.catch(() => {}),
  );
  const hash = await sent;
  await chain.mined(hash);
  return hash;
}

/**
 * Brings a signed call to the ledger: through the service, and when that does not do it, by the wallet's own transaction
 * over the owner's RPC. What counts as done is read from the chain. The signature holds for one state of the account, so
 * that both ways together carry it out once.
 *
 * @throws HalcyonError `unavailable` when the service does not carry it and the wallet has nothing to pay gas with
 */
export async function carry(context: Context, call: SignedCall): Promise<Carried> {
  const [chain, { wallet }] = [await context.chain(), context];
  const relayed = await awaitRelay(context, call, context.relayPatienceMs);
  if (!(relayed instanceof HalcyonError)) return relayed;
  if (await call.isDone()) return { by: "service", tx_hash: null };
  if (await call.isVoid?.()) throw relayed;
  if (!(await paysGas(chain, wallet))) {
    throw new HalcyonError(
      relayed.code,
      `${relayed.message} ${call.what} can be sent by the wallet itself, without the service: send some ETH for gas to ` +
        `${wallet.address} and run this again.`,
      { cause: relayed },
    );
  }
  try {
    return { by: "wallet", tx_hash: await sendInTurn(chain, wallet, { to: chain.ledger, data: call.data }) };
  } catch (error) {
    // The service's transaction may have come first.
    if (await call.isDone()) return { by: "service", tx_hash: null };
    throw error;
  }
}
