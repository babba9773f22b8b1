import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { feesToBegin, newestBlockTime } from "@/lib/chain/fees";
import { type GAS_LIMIT, gasLimit } from "@/lib/chain/gas";
import { allocateNonce, allocateNonceOf } from "@/lib/chain/nonces";
import { relayerAccount } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { ChainId } from "@/lib/network";
import { log } from "@/lib/telemetry/log";
import { spendRelayQuota } from "./relay-quota";

type OperationKind = keyof typeof GAS_LIMIT;

/** A call to send to the chain. */
interface NewOperation {
  chainId: ChainId;
  kind: OperationKind;
  /** Whose it is: operations of one account reach the chain in the order of their creation. */
  account: Address;
  /** Whose gas quota it counts against, when it is not the account's own: the owner's of an agent. */
  quotaOf?: Address;
  target: Address;
  data: Hex;
  /** What it may burn; as much as its kind and wallet need when left out. */
  gas?: bigint | undefined;
  /** wei */
  value?: bigint;
  /** The version of the account's policy that it was signed over, of what a later one voids. */
  policyVersion?: bigint;
  /** A contract wallet stands behind it, whose code runs in the call (ERC-1271). */
  byContract?: boolean;
  /** When the call stops being valid. Until a final block is past it, a failed attempt is made again. */
  deadline: Date;
  /**
   * Operations it builds on: it goes by the relayer of the first that is pending, so that they reach the chain before.
   */
  follows?: readonly string[];
  /**
   * A further account whose pending operations should come first: a recipient whose enrolment is under way, the other
   * side of a `fund`.
   */
  after?: Address;
  /** A fixed relayer (the faucet); else one is chosen. */
  position?: number;
}

/** An operation as the caller's transaction has recorded it. Hand it to `broadcast` once that has committed. */
export interface SubmittedOperation {
  id: string;
  chainId: ChainId;
  kind: OperationKind;
  status: "pending";
  createdAt: Date;
  txHash: Hex;
  raw: Hex;
}

/** The chain judges deadlines by its own clock: where ours is behind it, what we sign can never be mined. */
function requireTimely(chainId: ChainId, deadline: Date): void {
  const chainTime = newestBlockTime(chainId);
  if (!chainTime || deadline > chainTime) return;
  log().error({ chainId, chainTime }, "a deadline lies before the newest block: this machine's clock is behind");
  throw new ApiError("unavailable", "The service's clock differs from the chain's. Try again.", { retryAfter: 30 });
}

/**
 * Records an operation and its first signed transaction inside the caller's transaction: call it last, it takes the
 * relayer's nonce. `alongside` gets the operation's id and transaction hash and adds the caller's own rows.
 *
 * @throws rate_limited; unavailable when the deadline has passed on chain, or gas costs more than the service pays
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
  // One after the other on one connection, in this order, without waiting in between.
  const [, { relayer, position, nonce }] = await Promise.all([
    kind === "gas" ? undefined : spendRelayQuota(tx, chainId, operation.quotaOf ?? account, gas, createdAt),
    operation.position === undefined
      ? allocateNonce(tx, chainId, accounts, operation.follows)
      : allocateNonceOf(tx, chainId, relayerAccount(chainId, operation.position).address),
  ]);
  const signer = relayerAccount(chainId, position);
  const { hash, raw } = await signTransaction(chainId, signer, nonce, { target, data, value, gas }, fees);
  const id = newId("operation");
  const submitted: SubmittedOperation = { id, chainId, kind, status: "pending", createdAt, txHash: hash, raw };
  const common = { chainId, relayer, createdAt };
  await Promise.all([
    tx
      .insert(operations)
      .values({ ...common, id, kind, status: "pending", account, target, data, value, gas, deadline, policyVersion }),
    tx.insert(outgoingTransactions).values({ ...common, operationId: id, nonce, hash, raw, status: "signed" }),
    alongside?.(submitted),
  ]);
  return submitted;
}
