import { and, eq } from "drizzle-orm";
import { type Address, type Hex, parseAbi, toEventSelector, toHex } from "viem";
import { db } from "@/db/client";
import { availableCommitments, availableStates } from "@/db/schema/ledger";
import { newestFirst } from "@/lib/base/block-ranges";
import type { ChainId } from "@/lib/base/network";
import { agreed } from "@/lib/chain/agreed";
import { rangeOf } from "@/lib/chain/index/range";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { ledgerAbi } from "../abi/ledger";
import { chainEnv } from "../clients";
import type { BlockMark } from "../index/cursor";
import { decodeLedgerCall } from "../ledger-call";
import { askForPayments } from "./ask-for-payments";
import { askRecords } from "./ask-records";
import type { AskedOperation } from "./asked-operation";
import { callAt } from "./call-at";
import type { Finding } from "./finding";
import { isOffLedger } from "./off-ledger";
import { ownSuccess, successOf } from "./own-receipt";

const abi = parseAbi(["function authorizationState(address, bytes32) view returns (bool)"]);

const USED = toEventSelector("AuthorizationUsed(address,bytes32)");

const CANCELED = toEventSelector("AuthorizationCanceled(address,bytes32)");

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

/** Finds out what became of an authorized deposit (EIP-3009), no matter who submitted it to the ledger. */
async function askForDeposit(chainId: ChainId, data: Hex, at: BlockMark): Promise<Finding> {
  const { args } = decodeLedgerCall(data);
  const [asset, from, , , , nonce] = args as unknown as [Address, Address, bigint, bigint, bigint, Hex];
  if (!(await callAt<boolean>(chainId, at.hash, asset, abi, "authorizationState", [from, nonce]))) {
    return { outcome: "never" };
  }
  const first = chainEnv(chainId).ledgerBlock;
  const topics: (Hex | Hex[])[] = [[USED, CANCELED], `0x${from.slice(2).toLowerCase().padStart(64, "0")}`, nonce];
  const ends = newestFirst(rangeOf(chainId), first, at.number, (fromBlock, toBlock) => {
    const filter = { address: asset, fromBlock: toHex(fromBlock), toBlock: toHex(toBlock), topics };
    return agreed(chainId, `what became of an authorization of ${from}`, async (client) => {
      const [first] = await client.request({ method: "eth_getLogs", params: [filter] });
      return first && { topic: first.topics[0], txHash: first.transactionHash };
    });
  });
  for await (const end of ends) {
    if (!end) continue;
    if (end.topic === CANCELED || !end.txHash) return { outcome: "never" };
    const carried = await successOf(chainId, end.txHash);
    const credited = carried?.events.some(
      ({ eventName, args: said }) => eventName === "Deposited" && said.account === from.toLowerCase(),
    );
    return carried && credited ? { outcome: "executed", ...carried } : { outcome: "unsure" };
  }
  return { outcome: "unsure" };
}
