import type { Hex } from "viem";
import type { ChainId } from "@/lib/base/network";
import { publicClient } from "@/lib/chain/clients";
import { type AccountHistory, newHistory } from "@/lib/ledger/history/account-history";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import { moneyEvents } from "@/sdk/chain/ledger-events";
import type { AvailableHolder } from "../accounts/available-holder";

/** A history up to a block, which includes all of the block's events. */
interface Known {
  block: { number: bigint; hash: Hex } | null;
  history: AccountHistory;
}

const known = new Map<string, Promise<Known>>();

/**
 * Returns what moved money of an account or agent, according to the chain alone: up to its newest block when this was
 * called, and later calls add to it. Decrypts each event once.
 */
export async function chainHistory(chainId: ChainId, holder: Holder): Promise<AccountHistory> {
  const name = `${chainId} ${holder.scope.ledger} ${holder.address}`;
  const next = (known.get(name) ?? Promise.resolve(nothing())).then((before) => added(chainId, holder, before));
  known.set(
    name,
    next.catch(() => nothing()),
  );
  return (await next).history;
}

type Holder = Pick<AvailableHolder, "address" | "scope" | "viewing">;

const nothing = (): Known => ({ block: null, history: newHistory() });

async function added(chainId: ChainId, { address, scope, viewing }: Holder, before: Known): Promise<Known> {
  const chain = publicClient(chainId);
  const { number, hash } = await chain.getBlock();
  if (before.block?.hash === hash) return before;
  const { block, history } = (await isOn(chainId, before)) ? before : nothing();
  const events = await moneyEvents(chain, scope.ledger, address, block ? block.number + 1n : 0n, number);
  await foldHistory(scope, address, viewing.secret, events, history);
  return { block: { number, hash }, history };
}

/** Returns whether the chain still has the last block of a history. */
async function isOn(chainId: ChainId, { block }: Known): Promise<boolean> {
  if (!block) return true;
  const now = await publicClient(chainId)
    .getBlock({ blockNumber: block.number })
    .catch(() => undefined);
  return now?.hash === block.hash;
}
