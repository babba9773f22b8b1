import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { ledgerAbi } from "../abi/ledger";
import { chainEnv } from "../clients";
import type { BlockMark } from "../index/cursor";
import { hasConfirmedTwin, isSamePayment } from "../index/same-payment";
import { callAt } from "./call-at";
import type { Finding } from "./finding";

interface Asked extends Record<string, unknown> {
  kind: "transfer" | "release" | "fund";
  account: Buffer;
  asset: Buffer;
  /** The note; for payments without a note, the payment id. */
  known_by: Buffer;
  hash: Buffer | null;
  block: string | null;
  /** Another operation made this payment. */
  twin: boolean;
  /** The index has another payment under its note or payment id, or its note by another sender. */
  taken: boolean;
}

const hex = (bytes: Buffer) => `0x${bytes.toString("hex")}` as const;

/**
 * Finds out what became of an operation's payments, by their notes and payment ids: first from the index, else from
 * whether the ledger has used these up. If another operation made the same payment, this operation never will. Nor if
 * someone else made its note, which a recipient can: it reads amount and salt in its copy before the payment is mined.
 */
export async function askForPayments(chainId: ChainId, operationId: string, at: BlockMark): Promise<Finding> {
  const rows = await readAsked(operationId);
  const [first] = rows;
  if (first?.hash && first.block) {
    if (first.twin) return { outcome: "never" };
    return {
      outcome: "executed",
      txHash: hex(first.hash),
      blockNumber: BigInt(first.block),
      events: [],
      indexed: true,
    };
  }
  for (const row of rows) {
    if (!row.taken && (await isTaken(chainId, row, at))) return { outcome: "missed" };
  }
  return { outcome: "never" };
}

/**
 * Reads the operation's payments. `account` is the recipient of the note, or whose payment id is used up; for a move
 * between owner and agent, the owner.
 */
function readAsked(operationId: string): Promise<Asked[]> {
  return db().execute<Asked>(sql`
    select t.kind, t.asset, coalesce(t.note, t.payment_id) as known_by,
      case t.kind when 'transfer' then t.recipient_address when 'fund' then root.address else a.address end as account,
      p.tx_hash as hash, p.block_number::text as block, ${hasConfirmedTwin} as twin,
      exists (select from ledger_payments other join accounts payer on payer.address = other.payer
        where other.chain_id = t.chain_id and other.known_by = coalesce(t.note, t.payment_id)
          and (t.kind <> 'transfer' or (other.recipient = t.recipient_address and other.asset = t.asset))
          and payer.id in (select id from accounts where id = t.payer_root_id or owner_id = t.payer_root_id)
      ) or (t.kind = 'transfer' and exists (select from notes n
        where n.chain_id = t.chain_id and n.account = t.recipient_address and n.asset = t.asset and n.note = t.note
          and n.sender <> a.address)
      ) as taken
    from transfers t join accounts a on a.id = t.payer_id join accounts root on root.id = t.payer_root_id
    left join ledger_payments p on ${isSamePayment}
    where t.operation_id = ${operationId}
    order by t.batch_index nulls first`);
}

async function isTaken(chainId: ChainId, { kind, account, asset, known_by }: Asked, at: BlockMark): Promise<boolean> {
  const { ledger } = chainEnv(chainId);
  if (kind !== "transfer") {
    return callAt<boolean>(chainId, at.hash, ledger, ledgerAbi, "paymentIdUsed", [hex(account), hex(known_by)]);
  }
  const note = [hex(account), hex(asset), BigInt(hex(known_by))];
  return (await callAt<number>(chainId, at.hash, ledger, ledgerAbi, "noteStatus", note)) !== 0;
}
