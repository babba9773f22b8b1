import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { feesToBegin, newestBlockTime } from "@/lib/chain/fees";
import { type GAS_LIMIT, gasLimit } from "@/lib/chain/gas";
import { makeAvailableNonce, makeAvailableNonceOf } from "@/lib/chain/nonces";
import { relayerAccount } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { recordOperation } from "./record-operation";
import { spendRelayQuota } from "./relay-quota";

type OperationKind = keyof typeof GAS_LIMIT;

/** A call to send to the chain. */
interface NewOperation {
  chainId: ChainId;
  kind: OperationKind;
  /** The account it belongs to. Operations of one account reach the chain in the order of their creation. */
  account: Address;
  /** The account whose gas quota it counts against, if that is not `account`: the owner, for an agent's operation. */
  quotaOf?: Address;
  target: Address;
  data: Hex;
  /** The most gas it may burn. By default what its kind and wallet need. */
  gas?: bigint | undefined;
  /** wei */
  value?: bigint;
  /** The version of the account's policy that the call was signed for, if a later version invalidates the call. */
  policyVersion?: bigint;
  /** Whether the account's wallet is a contract, whose code runs in the call (ERC-1271). */
  byContract?: boolean;
  /** When the call expires. A failed attempt is repeated until a final block is past this time. */
  deadline: Date;
  /**
   * Operations that must reach the chain before this one. It goes through the relayer of the first that is still
   * pending, whose nonces keep that order.
   */
  follows?: readonly string[];
  /**
   * Another account whose pending operations should come first, such as a recipient that is still enrolling, or the
   * other side of a `fund`.
   */
  after?: Address;
  /** The position of a fixed relayer (the faucet). By default one is chosen. */
  position?: number;
}

/**
 * An operation that the caller's transaction has recorded. Pass it to `broadcast` once the transaction has committed.
 */
export interface SubmittedOperation {
  id: string;
  chainId: ChainId;
  kind: OperationKind;
  status: "pending";
  createdAt: Date;
  txHash: Hex;
  raw: Hex;
}

/**
 * Refuses to sign a call that has already expired on chain. The chain judges deadlines by its own clock, so a call can
 * expire too early if ours is behind.
 */
function requireTimely(chainId: ChainId, deadline: Date): void {
  const chainTime = newestBlockTime(chainId);
  if (!chainTime || deadline > chainTime) return;
  log().error({ chainId, chainTime }, "a deadline lies before the newest block: this machine's clock is behind");
  throw new ApiError("unavailable", "The service's clock differs from the chain's. Try again.", { retryAfter: 30 });
}

/** How far the clocks of servers may differ. A payment under a policy could name a day that has not begun. */
const MOST_AHEAD_MS = 60_000;

/** Refuses to sign a call if this machine's clock is ahead of the database's. */
function requireNotAhead(chainId: ChainId, before: Date, databaseTime: number): void {
  const ahead = before.getTime() - databaseTime;
  if (ahead <= MOST_AHEAD_MS) return;
  log().error({ chainId, ahead }, "this machine's clock is ahead of the database's");
  throw new ApiError("unavailable", "The service's clocks differ. Try again.", { retryAfter: 30 });
}

/**
 * Records an operation and its first signed transaction inside the caller's database transaction. Call it last, because
 * it takes the relayer's next nonce. `alongside` gets the operation's id and transaction hash and adds the caller's own
 * rows.
 *
 * @throws ApiError `rate_limited`; `unavailable` when the deadline has passed on chain, this machine's clock is ahead, or
 *   gas costs more than the service pays
 */
export async function submitOperation(
  tx: Tx,
  operation: NewOperation,
  alongside?: (submitted: SubmittedOperation) => Promise<unknown>,
): Promise<SubmittedOperation> {
  const { chainId, kind, account, target, data, deadline, policyVersion = null, value = 0n } = operation;
  const createdAt = new Date();
  const { gas = gasLimit(kind, operation.byContract) } = operation;
  const fees = await feesToBegin(chainId);
  requireTimely(chainId, deadline);
  const accounts = operation.after ? [account, operation.after] : [account];
  // Pipelined: both run on one connection in this order, without waiting in between.
  const [, { relayer, position, nonce, takenAt }] = await Promise.all([
    kind === "gas" ? undefined : spendRelayQuota(tx, chainId, operation.quotaOf ?? account, gas, createdAt),
    operation.position === undefined
      ? makeAvailableNonce(tx, chainId, accounts, operation.follows)
      : makeAvailableNonceOf(tx, chainId, relayerAccount(chainId, operation.position).address),
  ]);
  requireNotAhead(chainId, createdAt, takenAt);
  const signer = relayerAccount(chainId, position);
  const { hash, raw } = await signTransaction(chainId, signer, nonce, { target, data, value, gas }, fees);
  const id = newId("operation");
  const submitted: SubmittedOperation = { id, chainId, kind, status: "pending", createdAt, txHash: hash, raw };
  const row = { id, chainId, kind, account, target, data, value, gas, deadline, policyVersion, relayer, createdAt };
  await Promise.all([recordOperation(tx, row, { nonce, hash, raw }), alongside?.(submitted)]);
  return submitted;
}
