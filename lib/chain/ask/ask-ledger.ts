import { and, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { availableCommitments, availableStates } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { ledgerAbi } from "../abi/ledger";
import { chainEnv } from "../clients";
import type { BlockMark } from "../index/cursor";
import { askForDeposit } from "./ask-for-deposit";
import { askForPayments } from "./ask-for-payments";
import { askRecords } from "./ask-records";
import type { AskedOperation } from "./asked-operation";
import { callAt } from "./call-at";
import type { Finding } from "./finding";
import { isOffLedger } from "./off-ledger";
import { ownSuccess } from "./own-receipt";

/**
 * Finds out what became of an operation on chain: from the receipts of its own transactions, then from the state of the
 * ledger at the block up to which everything is indexed. Blocks are named by hash, so a node that lags refuses instead
 * of giving an outdated response.
 */
export async function askLedger(chainId: ChainId, operation: AskedOperation, at: BlockMark): Promise<Finding> {
  const own = await ownSuccess(chainId, operation.id);
  const onLedger = !isOffLedger(operation.kind);
  if (own && (own.events.length > 0 || !onLedger)) {
    // A later block is not final or not indexed yet. It will be.
    return own.blockNumber <= at.number ? { outcome: "executed", ...own } : { outcome: "unsure" };
  }
  switch (operation.kind) {
    case "transfer":
    case "release":
    case "fund":
    case "spend":
    case "spend_public":
    case "transfer_many": {
      const finding = await askForPayments(chainId, operation.id, at);
      return finding.outcome === "never" ? askAvailableBalances(chainId, operation.id, at, false) : finding;
    }
    case "make_available":
      return askAvailableBalances(chainId, operation.id, at, true);
    case "deposit":
      return askForDeposit(chainId, operation.data, at);
    case "enroll":
    case "enroll_agent":
    case "set_payment_key":
    case "set_policy":
    case "set_guarded":
    case "set_agent_signer":
    case "abandon":
      return askRecords(chainId, operation, at);
    case "mint":
    case "return_unclaimed":
    case "gas":
      return { outcome: "never" };
  }
}

/**
 * Compares the available balances that the operation changes with the ledger at a block. If the commitments differ from
 * the index's, the index lacks an event.
 *
 * @param knownByCommitment whether the new commitment is unique to the operation, so that its presence shows that the
 *   operation happened
 */
async function askAvailableBalances(
  chainId: ChainId,
  operationId: string,
  at: BlockMark,
  knownByCommitment: boolean,
): Promise<Finding> {
  const { ledger } = chainEnv(chainId);
  const states = await db()
    .select({ account: availableStates.account, asset: availableStates.asset, commitment: availableStates.commitment })
    .from(availableStates)
    .where(eq(availableStates.operationId, operationId));
  for (const { account, asset, commitment } of states) {
    const held = commitmentToHex(
      await callAt<bigint>(chainId, at.hash, ledger, ledgerAbi, "availableOf", [account, asset]),
    );
    if (held !== (await indexedCommitment(chainId, account, asset))) return { outcome: "missed" };
    if (knownByCommitment && held === commitment) return { outcome: "missed" };
  }
  return { outcome: "never" };
}

async function indexedCommitment(chainId: ChainId, account: Address, asset: Hex): Promise<Hex> {
  const [row] = await db()
    .select({ commitment: availableCommitments.commitment })
    .from(availableCommitments)
    .where(
      and(
        eq(availableCommitments.chainId, chainId),
        eq(availableCommitments.account, account),
        eq(availableCommitments.asset, asset),
      ),
    );
  return row?.commitment ?? EMPTY_AVAILABLE_HEX;
}
