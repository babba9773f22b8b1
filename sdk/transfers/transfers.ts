import { findAgent } from "../account/agents";
import type { SealedTransfer } from "../api/api-types";
import { type Paged, type PageInfo, paged } from "../api/paging";
import type { Transfer } from "../api/resources";
import type { Context } from "../context/context";
import { type TransferContent, TransferOpener } from "./open-transfer";

/** A transfer with what only its two sides can open. */
export interface OpenedTransfer extends Transfer, TransferContent {}

/** A page of them. */
export interface OpenedTransferList extends PageInfo {
  transfers: OpenedTransfer[];
}

interface SealedTransferList extends PageInfo {
  transfers: SealedTransfer[];
}

/** Which transfers, and how many at a time. */
export interface TransfersInput {
  limit?: number;
  offset?: number;
  /** Handle of an agent of the account: its transfers alone. */
  agent?: string;
  status?: Transfer["status"];
  direction?: "sent" | "received";
  /** Who is on the other side: a handle or a 0x address. */
  counterparty?: string;
  asset?: string;
  /** Only payments made with this API key (its id). */
  key?: string;
  /** Strict bounds on `created_at`. */
  from?: Date;
  to?: Date;
}

/**
 * The newest transfers of the account and its agents, or of one agent, each amount and memo opened on this machine.
 *
 * @example
 * for await (const { to, amount } of halcyon.transfers()) console.log(to, amount);
 * await halcyon.transfers({ limit: 1 }); // { transfers: [{ transfer_id: "tr_…", amount: "25", memo: "lunch", … }] }
 */
export function transfers(context: Context, input: TransfersInput = {}): Paged<OpenedTransferList, OpenedTransfer> {
  const read = (page: TransfersInput) => openedPage(context, page);
  return paged({ read, entries: (page) => page.transfers, id: (transfer) => transfer.transfer_id }, input);
}

async function openedPage(context: Context, input: TransfersInput): Promise<OpenedTransferList> {
  const [agent, session, opener] = await Promise.all([
    input.agent === undefined ? undefined : findAgent(context, input.agent),
    context.session(),
    TransferOpener.of(context),
  ]);
  const { from, to, ...filters } = input;
  const query = { ...filters, agent: agent?.account_id, from: from?.toISOString(), to: to?.toISOString() };
  const listed = await session.get<SealedTransferList>("/api/transfers", query);
  const { limit, offset, has_more } = listed;
  const opened = listed.transfers.map(
    async (entry): Promise<OpenedTransfer> => ({
      transfer_id: entry.transfer_id,
      status: entry.status,
      direction: entry.direction,
      from: entry.from,
      to: entry.to,
      asset: entry.asset,
      ...(await opener.content(entry)),
      confidential: entry.confidential,
      tx_hash: entry.tx_hash,
      created_at: entry.created_at,
      confirmed_at: entry.confirmed_at,
    }),
  );
  return { transfers: await Promise.all(opened), limit, offset, has_more };
}
