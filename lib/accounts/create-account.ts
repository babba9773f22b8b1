import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Address } from "viem";
import { sql } from "@/db/client";
import { isReservedHandle, skeletonOf } from "@/lib/accounts/reserved-handles";
import type { CreateAccountInput } from "@/lib/accounts/schema";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { ApiError } from "@/lib/base/errors";
import { isDomainHandle, normaliseHandle } from "@/lib/base/handle";
import { type Id, newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { CHAIN_IDS } from "@/lib/chain/clients";
import { blockAt } from "@/lib/chain/index/cursor";
import { requireDomainRight } from "./require-domain-right";

/** For how long idempotency keys are kept. */
const KEYS_KEPT_MS = 24 * 3_600_000;

/** An account of the service. It exists on both networks. */
export interface Account {
  id: string;
  /** Without `@`. */
  handle: string;
  type: "personal" | "business" | "agent";
  address: Address;
  createdAt: Date;
}

/**
 * Creates the account of a wallet, with its handle. Safe to repeat with the same handle: `created` is then false.
 *
 * @throws ApiError `invalid_request` for an invalid handle or a domain the caller has not proven; `handle_taken` for a
 *   handle that belongs to someone else, looks like another account's, or sounds like the service
 */
export async function createAccount(
  ctx: Pick<WalletContext, "address">,
  input: CreateAccountInput,
): Promise<{ account: Account; created: boolean }> {
  const handle = requireHandle(input.handle);
  const known = await findByAddress(ctx.address);
  if (known) return { account: sameHandle(known, handle), created: false };
  const domain = isDomainHandle(handle);
  const id = domain ? domainAccountId(ctx.address, handle) : newId("account");
  if (domain) await requireDomainRight(handle, id);
  if (!domain && isReservedHandle(handle)) throw handleTaken("This handle is reserved. Choose another one.");
  const chains = await chainsPaidOn(ctx.address);
  const inserted = await sql().begin(async (tx) => {
    // Serializes look-alike handles: of two at once, the second waits here and then finds the first.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`handle ${skeletonOf(handle)}`}, 0))`;
    const rows = await tx<Row[]>`
      insert into accounts (id, handle, address, type, created_at)
      select ${id}, ${handle}, ${Buffer.from(ctx.address.slice(2), "hex")}, ${input.type},
        date_trunc('milliseconds', now())
      where ${domain} or not exists (
        select 1 from accounts where translate(handle, '1i0-_', 'llo') = ${skeletonOf(handle)} and type <> 'agent')
      on conflict do nothing returning id, handle, type, address, created_at`;
    if (rows[0]) await forgetKeys(tx, rows[0], chains);
    return rows;
  });
  if (inserted[0]) return { account: toAccount(inserted[0]), created: true };
  // Nothing was inserted: the same request ran concurrently, or the handle is someone else's.
  const other = await findByAddress(ctx.address);
  if (other) return { account: sameHandle(other, handle), created: false };
  throw handleTaken("This handle belongs to another account, or looks like one that does. Choose another one.");
}

/**
 * Returns the chains on which a wallet or one of its agents has paid while idempotency keys of then may still be
 * repeated. An account that has not signed up yet has such payments only if a restored backup lacks it.
 */
async function chainsPaidOn(address: Address): Promise<ChainId[]> {
  const of = Buffer.from(address.slice(2), "hex");
  // From the payers to their payments: the other way round reads the payments of all.
  const rows = await sql()<{ chain: ChainId; newest: string }[]>`
    select c.id as chain, max(p.block_number)::text as newest
    from unnest(string_to_array(${CHAIN_IDS.join()}, ',')::int[]) c(id), lateral (
        select ${of}::bytea as address
        union all
        select l.address from ledger_accounts l where l.chain_id = c.id and l.owner = ${of}
      ) w, lateral (
        select block_number from ledger_payments where chain_id = c.id and payer = w.address offset 0
      ) p
    group by c.id`;
  const recent = rows.map(async ({ chain, newest }) => {
    const block = await blockAt(chain, BigInt(newest)).catch(() => null);
    return block && block.time.getTime() + KEYS_KEPT_MS <= Date.now() ? [] : [chain];
  });
  return (await Promise.all(recent)).flat();
}

/**
 * For an account that has paid before, which a restored backup lacks: like lib/settlement/rebuild-lost-payments.ts, lets
 * no unknown idempotency key pay for the day for which keys are kept. What was paid has no transfers.
 */
async function forgetKeys(tx: TransactionSql, { id }: Row, chains: readonly ChainId[]): Promise<void> {
  if (chains.length === 0) return;
  await tx`
    insert into account_networks (account_id, chain_id, rebuilt_at, keys_unknown_until)
    select a.id, c.id, a.created_at, a.created_at + interval '24 hours'
    from accounts a, unnest(string_to_array(${chains.join()}, ',')::int[]) c(id) where a.id = ${id}`;
}

function handleTaken(message: string): ApiError {
  return new ApiError("handle_taken", message, { param: "handle" });
}

function sameHandle(account: Account, handle: string): Account {
  if (account.handle === handle) return account;
  throw handleTaken("This wallet has an account with another handle. Use that, or another wallet.");
}

interface Row {
  id: string;
  handle: string;
  type: Account["type"];
  address: Buffer;
  created_at: string;
}

async function findByAddress(address: Address): Promise<Account | undefined> {
  const [row] = await sql()<Row[]>`
    select id, handle, type, address, created_at from accounts where address = ${Buffer.from(address.slice(2), "hex")}`;
  return row && toAccount(row);
}

function toAccount(row: Row): Account {
  return {
    id: row.id,
    handle: row.handle,
    type: row.type,
    address: `0x${row.address.toString("hex")}`,
    createdAt: new Date(row.created_at),
  };
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns the account id that a wallet gets with a domain handle: `acct_` and a ULID-shaped SHA-256 of both. It is
 * derived rather than random because the domain's DNS record must name it before the account exists.
 */
export function domainAccountId(address: Address, handle: string): Id<"account"> {
  const hash = createHash("sha256").update(`halcyon account\n${address.toLowerCase()}\n${handle}`).digest("hex");
  let rest = BigInt(`0x${hash}`) >> 128n;
  let ulid = "";
  for (let i = 0; i < 26; i++) {
    ulid = CROCKFORD.charAt(Number(rest & 31n)) + ulid;
    rest >>= 5n;
  }
  return `acct_${ulid}`;
}

/**
 * Returns a handle as it is stored (see {@link normaliseHandle}). Not in its file, which clients contain.
 *
 * @throws ApiError `invalid_request` naming `handle`, with the rule in its message
 */
function requireHandle(text: string): string {
  const handle = normaliseHandle(text);
  if (handle !== null) return handle;
  throw new ApiError(
    "invalid_request",
    "A handle has 3 to 63 of the letters a-z, digits, - and _, with a letter or digit at both ends; a domain's has dots.",
    { param: "handle" },
  );
}
