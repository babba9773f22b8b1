import { and, asc, gte, inArray } from "drizzle-orm";
import type { Address } from "viem";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { agreedReceipt } from "@/lib/chain/ask/agreed-receipt";
import { broadcast } from "@/lib/chain/broadcast";
import { currentFees } from "@/lib/chain/fees";
import { GAS_LIMIT } from "@/lib/chain/gas";
import { recordOperation } from "@/lib/chain/operations/record-operation";
import { signerAt, type TransactionSigner } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { sentBy } from "./sent-by";

/** How many nonces are looked at and filled in one go. */
const AT_ONCE = 100;
const DEADLINE_MS = 3_600_000;

/**
 * Fills the nonces of a stuck relayer that no transaction of ours has and the chain has not used, with transfers of
 * nothing to the relayer itself. What is signed after such a gap could never be mined. A node that overstates a
 * relayer's transactions when the service starts leaves one, and so does a reorganization that takes foreign ones away.
 *
 * @param used how many nonces the chain has used
 */
export async function fillGap(chainId: ChainId, relayer: Address, position: number, used: number): Promise<void> {
  const signer = signerAt(chainId, position, relayer);
  if (!signer) return;
  const rows = await db()
    .select({
      nonce: outgoingTransactions.nonce,
      status: outgoingTransactions.status,
      hash: outgoingTransactions.hash,
    })
    .from(outgoingTransactions)
    .where(
      and(
        sentBy(chainId, relayer),
        gte(outgoingTransactions.nonce, used),
        inArray(outgoingTransactions.status, ["signed", "sent", "mined", "reverted"]),
      ),
    )
    .orderBy(asc(outgoingTransactions.nonce), asc(outgoingTransactions.id))
    .limit(AT_ONCE);
  const isOpen = ({ status }: { status: string }) => status === "signed" || status === "sent";
  for (const row of rows) {
    // If the chain has mined one, the node's count lags, and there is no gap. Receipts may have been made up.
    if (!isOpen(row) && (await agreedReceipt(chainId, row.hash))) return;
  }
  const first = rows.find(isOpen);
  if (!first) return;
  const until = Math.min(first.nonce, used + AT_ONCE);
  for (let nonce = used; nonce < until; nonce += 1) await fill(chainId, signer, nonce);
  if (used < until)
    log().error({ chainId, relayer, from: used, to: until - 1 }, "nonces were left out: they are filled");
}

async function fill(chainId: ChainId, signer: TransactionSigner, nonce: number): Promise<void> {
  const relayer = signer.address.toLowerCase() as Address;
  const call = { target: relayer, data: "0x", value: 0n, gas: GAS_LIMIT.gas } as const;
  const { hash, raw } = await signTransaction(chainId, signer, nonce, call, await currentFees(chainId));
  const createdAt = new Date();
  const deadline = new Date(createdAt.getTime() + DEADLINE_MS);
  const common = { id: newId("operation"), chainId, kind: "gas", account: relayer, relayer, createdAt } as const;
  await db().transaction((tx) => recordOperation(tx, { ...common, ...call, deadline }, { nonce, hash, raw }));
  broadcast({ chainId, txHash: hash, raw });
}
