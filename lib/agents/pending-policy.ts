import { asc, sql } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual } from "viem";
import { anyOf } from "@/db/any-of";
import { db, type Tx } from "@/db/client";
import { operations } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { ChainContradiction } from "@/lib/chain/chain-contradiction";
import { batchingClient, chainEnv } from "@/lib/chain/clients";
import { ledgerCallOf } from "@/lib/chain/ledger-call";
import { ReadAgain } from "@/lib/chain/optimistic-read";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import { withRpcTimeout } from "@/lib/chain/with-rpc-timeout";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { AuthorityDocumentSchema } from "@/lib/ledger/authority/authority-documents";
import type { LedgerPolicy } from "@/lib/ledger/authority/policy-in-force";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { authorityOf } from "./authority-of";
import { type PolicyHolder, partyAtLatest } from "./party-at-latest";

/** More blocks than come between two requests. */
const MOST_READS = 20;

/** A holder's policy as the ledger has it in its newest block. */
export interface PolicyOnLedger extends LedgerPolicy {
  recipientsRoot: Hex;
}

/** A holder's policy on the ledger, and the operations under way that raise its version. */
export interface PendingPolicy {
  onLedger: PolicyOnLedger;
  /** The ledger's version once all of these are mined. The next payment is signed over it. */
  policyVersion: bigint;
  /** The newest `setPolicy` under way whose signature is valid; null if there is none. */
  setPolicy: AuthorityDocumentOf<"set_policy"> | null;
  /** Their operations, newest first. What builds on them must use the same relayer. */
  follows: string[];
  /** Something under way guards the owner. It may be mined before what a key signs now, which the ledger then refuses. */
  isGuarding: boolean;
}

/** A policy read before a transaction, so that no chain has to be asked while locks are held. */
export interface PolicyRead extends PendingPolicy {
  scope: ChainScope;
  holder: PolicyHolder;
  /**
   * The operation that sets the rows' policy; null if there is none or the owner's client sent the transaction itself.
   */
  setBy: string | null;
  /** A fingerprint that must be unchanged in the transaction; otherwise the read is outdated. */
  mark: string;
}

type Row = Pick<typeof operations.$inferSelect, "id" | "kind" | "account" | "data" | "policyVersion">;

/**
 * Reads a holder's policy and signer from the ledger, and what is under way. Operations in the database are trusted
 * only as far as their signatures go. In the transaction, `stillPending` checks whether the read still holds.
 *
 * @throws ApiError `unavailable`, or viem's error, if the chain can't be reached
 */
export async function readPolicy(chainId: ChainId, holder: PolicyHolder): Promise<PolicyRead> {
  const scope = await scopeOf(chainId);
  // In this order: mark, rows, chain. What is mined meanwhile then shows up in the chain's state or among the rows.
  const mark = await markOf(db(), scope, holder);
  return { scope, holder, setBy: mark.setBy, mark: mark.text, ...(await readUnderWay(scope, holder, mark.pending)) };
}

/**
 * Does the same as {@link readPolicy}, but returns an error instead of throwing it: the rows may already refuse the
 * payment, and then the chain does not matter.
 */
export function tryReadPolicy(chainId: ChainId, holder: PolicyHolder): Promise<PolicyRead | Error> {
  return readPolicy(chainId, holder).catch((error: unknown) => {
    return error instanceof Error ? error : new Error("the chain was not read", { cause: error });
  });
}

/**
 * Returns what was read before the transaction, if it still holds: nothing that was under way has settled, and no
 * policy or signer has been set since. Call it under the holder's lock, which keeps both from changing.
 *
 * @throws ReadAgain if what was read is outdated
 */
export async function stillPending(tx: Pick<Tx, "execute">, read: PolicyRead): Promise<PolicyRead> {
  if ((await markOf(tx, read.scope, read.holder)).text !== read.mark) throw new ReadAgain();
  return read;
}

/**
 * Returns the name of the turn for work that reads a holder's policy and then changes it or pays by it. Within one
 * process, such work runs one after the other, so that it doesn't outdate each other's reads.
 */
export function policyTurn(chainId: ChainId, { id }: Pick<PolicyHolder, "id">): string {
  return `policy ${chainId}/${id}`;
}

/**
 * Returns a fingerprint of what changes with a holder's policy or signer: the operations under way, the operation that
 * set the rows, and the encrypted key.
 */
async function markOf(at: Pick<Tx, "execute">, { chainId }: ChainScope, holder: PolicyHolder) {
  const { id, address, rootAddress } = holder;
  const [row] = await at.execute<{ pending: string[]; set_by: string | null; wallet: string | null }>(sql`
    select
      array(select id from operations where chain_id = ${chainId} and ${anyOf(operations.account, [address, rootAddress])}
        and status = 'pending' and kind in ('set_policy', 'set_agent_signer', 'set_guarded') order by created_at, id) as pending,
      (select set_by from spend_policies where holder_id = ${id} and chain_id = ${chainId}) as set_by,
      (select encode(sha256(wallet), 'hex') from agents where account_id = ${id}) as wallet`);
  if (!row) throw new Error("a select without a table returns one row");
  return { pending: row.pending, setBy: row.set_by, text: JSON.stringify([row.pending, row.set_by, row.wallet]) };
}

async function readUnderWay(
  scope: ChainScope,
  holder: PolicyHolder,
  pending: readonly string[],
): Promise<PendingPolicy> {
  if (pending.length === 0) {
    const onLedger = await policyAtLatest(scope.chainId, holder.address);
    return { onLedger, policyVersion: onLedger.policyVersion, setPolicy: null, follows: [], isGuarding: false };
  }
  const rows = await db()
    .select({
      id: operations.id,
      kind: operations.kind,
      account: operations.account,
      data: operations.data,
      policyVersion: operations.policyVersion,
    })
    .from(operations)
    .where(anyOf(operations.id, pending))
    .orderBy(asc(operations.createdAt), asc(operations.id));
  const { party, onLedger } = await bothAtLatest(scope.chainId, holder);
  const found: PendingPolicy = {
    onLedger,
    policyVersion: onLedger.policyVersion,
    setPolicy: null,
    follows: [],
    isGuarding: false,
  };
  for (const row of rows) {
    found.isGuarding = guardAfter(row, holder.rootAddress) ?? found.isGuarding;
    if (row.kind === "set_guarded") continue;
    if (row.kind === "set_agent_signer") {
      const signer = newSignerOf(row, holder.address);
      // A signer that is already on the ledger has already raised the version that was read.
      if (!signer || isAddressEqual(signer, party.record.signer)) continue;
    } else {
      const document = setPolicyOf(row);
      if (document?.account !== holder.address || BigInt(document.policy_version) !== found.policyVersion) continue;
      if ((await authorityOf(scope, document, party)) === null) continue;
      found.setPolicy = document;
    }
    found.policyVersion += 1n;
    found.follows.unshift(row.id);
  }
  return found;
}

/** Returns a holder's policy version, recipients root and document hash in the newest block. */
async function policyAtLatest(chainId: ChainId, who: Address): Promise<PolicyOnLedger> {
  const query = { address: chainEnv(chainId).ledger, abi: ledgerAbi, functionName: "policyOf", args: [who] } as const;
  const [policyVersion, recipientsRoot, documentHash] = await withRpcTimeout(chainId, () =>
    batchingClient(chainId).readContract(query),
  );
  return { policyVersion, recipientsRoot, documentHash };
}

/**
 * Reads a holder's record and policy at the same version. Reads again if a block came between the two requests.
 *
 * @throws ChainContradiction if they never fit together
 */
async function bothAtLatest(chainId: ChainId, holder: PolicyHolder) {
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const [party, onLedger] = await Promise.all([
      partyAtLatest(chainId, holder),
      policyAtLatest(chainId, holder.address),
    ]);
    if (party.record.policyVersion === onLedger.policyVersion) return { party, onLedger };
  }
  throw new ChainContradiction("a record and a policy of different versions");
}

/** Returns the document from which an operation's call was built; null if it is another call. */
export function setPolicyOf({
  data,
  policyVersion,
}: Pick<Row, "data" | "policyVersion">): AuthorityDocumentOf<"set_policy"> | null {
  const call = ledgerCallOf(data);
  if (call?.functionName !== "setPolicy" || policyVersion === null) return null;
  const [{ account, limited, recipientsRoot, documentHash, assets, commitments, deadline }, signature] = call.args;
  const parsed = AuthorityDocumentSchema.safeParse({
    kind: "set_policy",
    account: account.toLowerCase(),
    limited,
    recipients_root: recipientsRoot,
    document_hash: documentHash,
    assets: assets.map((asset) => asset.toLowerCase()),
    commitments: commitments.map(commitmentToHex),
    policy_version: policyVersion.toString(),
    deadline: deadline.toString(),
    signature,
  });
  return parsed.success && parsed.data.kind === "set_policy" ? parsed.data : null;
}

/** Returns whether an account is guarded after an operation; null if the operation leaves the guard as it is. */
function guardAfter({ data }: Row, owner: Address): boolean | null {
  const call = ledgerCallOf(data);
  if (call?.functionName === "setGuarded") return call.args[1];
  // Limits of the account's own keys guard it.
  if (call?.functionName !== "setPolicy") return null;
  return isAddressEqual(call.args[0].account, owner) && call.args[0].limited ? true : null;
}

/** Returns the signer that an operation's call sets for an agent; null if the call is about other agents. */
function newSignerOf({ data }: Row, agent: Address): Address | null {
  const call = ledgerCallOf(data);
  if (call?.functionName !== "setAgentSigner") return null;
  const [{ agents, signers }] = call.args;
  return signers[agents.findIndex((one) => isAddressEqual(one, agent))] ?? null;
}
