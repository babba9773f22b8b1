import { and, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import type { ChainId } from "@/lib/base/network";
import type { LedgerRecord } from "@/lib/ledger/authority/ledger-record";
import { ledgerAbi } from "../abi/ledger";
import { chainEnv } from "../clients";
import type { BlockMark } from "../index/cursor";
import { decodeLedgerCall } from "../ledger-call";
import { lowerAddress } from "../registry";
import type { AskedOperation } from "./asked-operation";
import { callAt } from "./call-at";
import type { Finding } from "./finding";

/**
 * Compares the records that an operation changes with the ledger at a block. If they differ from the index's, the index
 * lacks an event. If they are equal, the operation has not happened, since the index does not show it.
 */
export async function askRecords(chainId: ChainId, operation: AskedOperation, at: BlockMark): Promise<Finding> {
  for (const address of changedBy(operation)) {
    if (!(await isIndexed(chainId, address, at))) return { outcome: "missed" };
  }
  return { outcome: "never" };
}

/** Returns the accounts that an operation changes: for one that sets or ends agents' signers, the agents. */
function changedBy({ kind, account, data }: AskedOperation): readonly Address[] {
  if (kind !== "set_agent_signer") return [account];
  const call = decodeLedgerCall(data);
  return call.functionName === "setAgentSigner" ? call.args[0].agents.map(lowerAddress) : [account];
}

async function isIndexed(chainId: ChainId, account: Address, at: BlockMark): Promise<boolean> {
  const { ledger } = chainEnv(chainId);
  const record = await callAt<LedgerRecord & { enrolledBlock: bigint }>(
    chainId,
    at.hash,
    ledger,
    ledgerAbi,
    "account",
    [account],
  );
  const [row] = await db()
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, account)));
  if (!row || row.enrolledBlock === null) return BigInt(record.enrolledBlock) === 0n;
  return (
    BigInt(record.enrolledBlock) > 0n &&
    BigInt(record.nonce) === row.nonce &&
    BigInt(record.policyVersion) === row.policyVersion &&
    BigInt(record.until) === row.until &&
    lowerAddress(record.signer as Hex) === row.signer &&
    record.guarded === row.guarded &&
    record.limited === row.limited
  );
}
