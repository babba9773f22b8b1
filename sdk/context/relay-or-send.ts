import type { Hex } from "viem";
import { HalcyonError, NoResponse } from "../api/errors";
import type { Operation } from "../api/resources/transfers";
import { toHalcyonError } from "../api/to-halcyon-error";
import { carriedIn } from "../chain/carried-in";
import type { Chain } from "../chain/chain";
import { sendWith, type Wallet, type WalletCall } from "../chain/wallet";
import type { Context } from "./context";

/** A call signed by the wallet, which anyone may send to the ledger. */
export interface SignedCall {
  /** The subject of messages, such as "The new payment key". */
  what: string;
  data: Hex;
  /** Until when the signature is valid, in Unix seconds. */
  deadline: string;
  /** Asks the service to send the call; null when it does not take part. */
  relay: (() => Promise<Operation>) | null;
  /** Reports whether the chain shows the call's effect, no matter who sent it. */
  isDone(): Promise<boolean>;
  /** Reports whether the chain has changed so that this signature can never be valid again. */
  isVoid?(): Promise<boolean>;
}

/** How a call reached the ledger. */
export interface Carried {
  by: "service" | "wallet";
  /** When the service sent it: what it named, if the chain shows the call there. */
  tx_hash: Hex | null;
}

const PAUSE_MS = 250;
/** How long the chain may take to show what the service passed on. */
const SHOWING_MS = 1_500;

/**
 * Waits until the chain shows the call's effect, the service gives up, or `patienceMs` expires. Returns the reason when
 * it gives up.
 */
async function awaitRelay(context: Context, call: SignedCall, patienceMs: number): Promise<Carried | HalcyonError> {
  if (!call.relay) return new HalcyonError("unavailable", "The service does not take part.");
  let operation: Operation;
  try {
    operation = await call.relay();
  } catch (error) {
    return toHalcyonError(error);
  }
  const [session, chain] = await Promise.all([context.session(), context.chain()]);
  const path = `/api/operations/${operation.operation_id}`;
  for (const end = Date.now() + patienceMs; ; ) {
    // The service can only shorten the wait: whether the call is done is read from the chain.
    const latest = await session.get<Operation>(path).catch(() => operation);
    if (await call.isDone()) return { by: "service", tx_hash: await carriedIn(chain, call.data, latest.tx_hash) };
    if (await call.isVoid?.())
      return new HalcyonError("available_balance_changed", "The account has moved on meanwhile. Try again.");
    if (latest.status === "failed" || Date.now() >= end) break;
    await context.call.pause(PAUSE_MS);
  }
  return new HalcyonError("unavailable", "The service took it and did not carry it to the chain.");
}

/** Reports whether the wallet could send a transaction itself: it supports sending and has ETH for gas. */
async function paysGas(chain: Chain, wallet: Wallet): Promise<boolean> {
  return wallet.sendTransaction !== undefined && (await chain.client.getBalance({ address: wallet.address })) > 0n;
}

/** Reports whether the chain shows now or soon what the service refused, and may have done all the same. */
export async function showsSoon({ call }: Context, isDone: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + SHOWING_MS; Date.now() < end; await call.pause(PAUSE_MS)) {
    if (await isDone()) return true;
  }
  return false;
}

/**
 * Returns an error of a call whose signature the service has, with until when that is valid: the service may refuse a
 * call and carry it later.
 *
 * @param deadline of the signature, in Unix seconds
 * @param met what handing it to the service threw
 */
export function stillOpen(thrown: unknown, what: string, deadline: string, met = thrown): HalcyonError {
  const error = toHalcyonError(thrown);
  if (met instanceof NoResponse && met.neverArrived) return error;
  const mayHappenUntil = new Date(Number(deadline) * 1000).toISOString();
  error.message += ` ${what} is signed: the service can still carry it out until ${mayHappenUntil}.`;
  return Object.assign(error, { mayHappenUntil });
}

const sending = new WeakMap<Wallet, Promise<unknown>>();

/** Sends after all earlier transactions: two at once would get the same nonce. */
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
 * Puts a signed call on the ledger: through the service, or if that fails, with the wallet's own transaction over the
 * owner's RPC. Reads from the chain whether it is done. The signature is valid for only one state of the account, so
 * both ways together execute it only once; or, because a wallet's own transaction needs none, set the same twice.
 *
 * @throws HalcyonError `unavailable` when the service does not send it and the wallet can't pay for gas
 */
export async function relayOrSend(context: Context, call: SignedCall): Promise<Carried> {
  const [chain, { wallet }] = [await context.chain(), context];
  const relayed = await awaitRelay(context, call, context.relayPatienceMs);
  if (!(relayed instanceof HalcyonError)) return relayed;
  const byService: Carried = { by: "service", tx_hash: null };
  const open = (error: unknown) => (call.relay ? stillOpen(error, call.what, call.deadline, relayed) : error);
  if (await call.isDone()) return byService;
  if (await call.isVoid?.()) throw relayed;
  if (!(await paysGas(chain, wallet))) {
    if (await showsSoon(context, call.isDone)) return byService;
    const gasless = new HalcyonError(
      relayed.code,
      `${relayed.message} ${call.what} can be sent by the wallet itself, without the service: send some ETH for gas to ` +
        `${wallet.address} and run this again.`,
      { cause: relayed },
    );
    throw open(gasless);
  }
  try {
    return { by: "wallet", tx_hash: await sendInTurn(chain, wallet, { to: chain.ledger, data: call.data }) };
  } catch (error) {
    // The service's transaction may have been first.
    if (await showsSoon(context, call.isDone)) return byService;
    throw open(error);
  }
}
