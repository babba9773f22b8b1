import type { Address } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { eventSources } from "@/db/schema/events";
import { assetByAddress } from "@/lib/base/assets";
import type { ChainId } from "@/lib/base/network";
import { appendEvents, type EventSubject, type NewEvent } from "@/lib/events/append-events";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";

const TYPES = { Deposited: "deposit.confirmed", MadeAvailable: "balance.made_available" } as const;

/** A final deposit or move to the available balance, with an id that stays the same when the chain is indexed again. */
interface Movement {
  event: LedgerEvent<keyof typeof TYPES>;
  source: string;
}

/**
 * Writes the events of deposits and of money made available, no matter who sent the transactions, in the index's
 * transaction. Each event is written once, even if blocks are indexed again, because a transaction keeps its hash in
 * any block.
 */
export async function announceMovements(
  tx: Tx,
  chainId: ChainId,
  events: readonly LedgerEvent[],
  now: Date,
): Promise<void> {
  const movements = movementsIn(chainId, events);
  if (movements.length === 0) return;
  const subjects = await subjectsOf(tx, new Set(movements.map(({ event }) => event.args.account)));
  const concerned = movements.filter(({ event }) => subjects.has(event.args.account));
  const known = await tx
    .select({ source: eventSources.source })
    .from(eventSources)
    .where(
      anyOf(
        eventSources.source,
        concerned.map(({ source }) => source),
      ),
    );
  const announced = new Set(known.map(({ source }) => source));
  const list = concerned.flatMap(({ event, source }): NewEvent[] => {
    const subject = subjects.get(event.args.account);
    if (!subject || announced.has(source)) return [];
    const { asset } = event.args;
    const payload = { asset: assetByAddress(chainId, asset)?.symbol ?? asset, tx_hash: event.transactionHash };
    return [{ chainId, type: TYPES[event.eventName], subject, payload, source }];
  });
  await appendEvents(tx, list, now);
}

/**
 * Returns the movements, numbered within their transactions. Positions within a block would change if a transaction
 * were mined again.
 */
function movementsIn(chainId: ChainId, events: readonly LedgerEvent[]): Movement[] {
  const counts = new Map<string, number>();
  return events.flatMap((event): Movement[] => {
    if (event.eventName !== "Deposited" && event.eventName !== "MadeAvailable") return [];
    const { transactionHash } = event;
    const number = counts.get(transactionHash) ?? 0;
    counts.set(transactionHash, number + 1);
    return [{ event, source: `${chainId}/${transactionHash}/${number}` }];
  });
}

/** Returns the accounts with these addresses. Addresses without an account are left out. */
async function subjectsOf(tx: Tx, addresses: ReadonlySet<Address>): Promise<Map<Address, EventSubject>> {
  const { id, handle, address, ownerId } = accounts;
  const found = await tx.select({ id, handle, address, ownerId }).from(accounts).where(anyOf(address, addresses));
  return new Map(found.map((one) => [one.address, { id: one.id, handle: one.handle, rootId: one.ownerId ?? one.id }]));
}
