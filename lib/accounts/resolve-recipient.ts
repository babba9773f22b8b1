import type { Address } from "viem";
import { shortRead } from "@/db/client";
import { ApiError } from "@/lib/base/errors";
import { normaliseAgentHandle, normaliseHandle } from "@/lib/base/handle";
import type { ChainId } from "@/lib/base/network";

/** The account behind a handle or address. `handle` is without `@`; `rootId` of an agent is its owner's id. */
interface RecipientAccount {
  id: string;
  handle: string;
  address: Address;
  type: "personal" | "business" | "agent";
  rootId: string;
}

/**
 * The recipient of a payment: always an address (lower case), and the account if the service knows one on that network.
 * `isAgent` is true also for an agent of the other network.
 */
export interface Recipient {
  address: Address;
  account: RecipientAccount | null;
  isAgent: boolean;
}

interface Row {
  id: string;
  handle: string;
  address: Uint8Array;
  type: RecipientAccount["type"];
  owner_id: string | null;
  chain_id: number | null;
}

/**
 * Resolves the recipient of a payment on a network: `@handle`, `@owner/agent` or a 0x address (whose EIP-55 checksum
 * the schema has already verified). An agent of the other network resolves by its address only, without its account.
 *
 * @throws ApiError `recipient_not_found` for a handle that belongs to no account
 */
export async function resolveRecipient(chainId: ChainId, to: string): Promise<Recipient> {
  if (to.startsWith("0x")) {
    const address = to.toLowerCase() as Address;
    const [row] = await shortRead(
      "rows",
      (sql) => sql<Row[]>`
        select id, handle, address, type, owner_id, chain_id from accounts
        where address = ${Buffer.from(address.slice(2), "hex")}`,
    );
    const isHere = row && (row.chain_id === null || row.chain_id === chainId);
    return { address, account: isHere ? toAccount(row) : null, isAgent: row?.type === "agent" };
  }
  const handle = to.includes("/") ? normaliseAgentHandle(to) : normaliseHandle(to);
  if (handle !== null) {
    const [row] = await shortRead("rows", (sql) =>
      handle.includes("/")
        ? sql<Row[]>`
            select id, handle, address, type, owner_id, chain_id from accounts
            where handle = ${handle} and chain_id = ${chainId}`
        : sql<Row[]>`
            select id, handle, address, type, owner_id, chain_id from accounts
            where handle = ${handle} and chain_id is null`,
    );
    if (row) {
      const account = toAccount(row);
      return { address: account.address, account, isAgent: account.type === "agent" };
    }
  }
  throw new ApiError("recipient_not_found", "No account has this handle. Check its spelling with the recipient.", {
    param: "to",
  });
}

function toAccount(row: Row): RecipientAccount {
  return {
    id: row.id,
    handle: row.handle,
    address: `0x${Buffer.from(row.address).toString("hex")}`,
    type: row.type,
    rootId: row.owner_id ?? row.id,
  };
}
