import { asc, sql } from "drizzle-orm";
import { type Address, decodeFunctionData, type Hex, isAddressEqual } from "viem";
import { anyOf } from "@/db/any-of";
import { db, type Tx } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { batchingClient, chainEnv } from "@/lib/chain/clients";
import { ReadAgain } from "@/lib/chain/read-again";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import { soon } from "@/lib/chain/soon";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { AuthorityDocumentSchema } from "@/lib/ledger/authority/authority-documents";
import type { LedgerPolicy } from "@/lib/ledger/authority/policy-in-force";
import { wordToHex } from "@/lib/ledger/crypto/field";
import type { ChainId } from "@/lib/network";
import { authorityOf } from "./authority-of";
import { type PolicyHolder, partyAtLatest } from "./party-at-latest";

/** A holder's policy as the ledger has it in its newest block. */
export interface PolicyOnLedger extends LedgerPolicy {
  recipientsRoot: Hex;
}

/** A holder's policy on the ledger, and what is on its way there and raises its version. */
export interface PolicyUnderWay {
  onLedger: PolicyOnLedger;
  /** The version that the ledger has once all of it is there: what the next payment is signed over. */
  policyVersion: bigint;
  /** The newest `setPolicy` of it, whose signature holds; null: there is none. */
  setPolicy: AuthorityDocumentOf<"set_policy"> | null;
  /** Their operations, the newest first: what builds on them goes by the same relayer. */
  follows: string[];
}

/** The same as it was read before a transaction: none waits for a chain while it holds locks. */
export interface PolicyRead extends PolicyUnderWay {
  scope: ChainScope;
  holder: PolicyHolder;
  /** The operation that put the rows' policy on its way to the ledger; null: the owner's client sent it, or there is none. */
  setBy: string | null;
  /** What has to be the same in the transaction. */
  mark: string;
}

type Row = Pick<typeof operations.$inferSelect, "id" | "kind" | "account" | "data" | "policyVersion">;

/**
 * Reads a holder's policy and signers: the ledger's, and what is under way. A row is only believed as far as what is
 * signed in it goes. In a transaction, `stillUnderWay` says whether it holds.
 *
 * @throws ApiError `unavailable`, or what viem throws, when the chain can't be asked
 */
export async function readPolicy(chainId: ChainId, holder: PolicyHolder): Promise<PolicyRead> {
  const scope = await scopeOf(chainId);
  // The mark comes first, then the rows, then the chain: what gets into a block meanwhile is found there, or here.
  const mark = await markOf(db(), scope, holder);
  return { scope, holder, setBy: mark.setBy, mark: mark.text, ...(await readUnderWay(scope, holder, mark.pending)) };
}

/** As {@link readPolicy}, or why it failed: the rows may refuse a payment before the chain matters. */
export function tryReadPolicy(chainId: ChainId, holder: PolicyHolder): Promise<PolicyRead | Error> {
  return readPolicy(chainId, holder).catch((error: unknown) => {
    return error instanceof Error ? error : new Error("the chain was not read", { cause: error });
  });
}

/**
 * What was read before the transaction, if it still holds. Under the holder's lock nothing is added meanwhile: nothing
 * that was under way has settled, and neither a policy nor a signer has been given since.
 *
 * @throws ReadAgain when it does not
 */
export async function stillUnderWay(tx: Pick<Tx, "execute">, read: PolicyRead): Promise<PolicyRead> {
  if ((await markOf(tx, read.scope, read.holder)).text !== read.mark) throw new ReadAgain();
  return read;
}

/**
 * The turn of what reads a holder's policy and then changes it or pays by it: in one process, none of them makes the others
 * read again.
 */
export function policyTurn(chainId: ChainId, { id }: Pick<PolicyHolder, "id">): string {
  return `policy ${chainId}/${id}`;
}

/** What changes with a holder's policy and signer: its operations under way, what set its rows, its sealed key. */
async function markOf(at: Pick<Tx, "execute">, { chainId }: ChainScope, holder: PolicyHolder) {
  const { id, address, rootAddress } = holder;
  const [row] = await at.execute<{ pending: string[]; set_by: string | null; wallet: string | null }>(sql`
    select
      array(select id from operations where chain_id = ${chainId} and ${anyOf(operations.account, [address, rootAddress])}
        and status = 'pending' and kind in ('set_policy', 'set_agent_signer') order by created_at, id) as pending,
      (select set_by from spend_policies where holder_id = ${id} and chain_id = ${chainId}) as set_by,
      (select encode(sha256(wallet), 'hex') from agents where account_id = ${id}) as wallet`);
  if (!row) throw new Error("a select without a table returns one row");
  return { pending: row.pending, setBy: row.set_by, text: JSON.stringify([row.pending, row.set_by, row.wallet]) };
}

async function readUnderWay(
  scope: ChainScope,
  holder: PolicyHolder,
  pending: readonly string[],
): Promise<PolicyUnderWay> {
  if (pending.length === 0) {
    const onLedger = await policyAtLatest(scope.chainId, holder.address);
    return { onLedger, policyVersion: onLedger.policyVersion, setPolicy: null, follows: [] };
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
  const found: PolicyUnderWay = { onLedger, policyVersion: onLedger.policyVersion, setPolicy: null, follows: [] };
  for (const row of rows) {
    if (row.kind === "set_agent_signer") {
      const signer = newSignerOf(row, holder.address);
      // A signer that is there already raised the version that was read.
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

/** Policy version, root and document hash of a holder in the newest block. */
export async function policyAtLatest(chainId: ChainId, who: Address): Promise<PolicyOnLedger> {
  const query = { address: chainEnv(chainId).ledger, abi: ledgerAbi, functionName: "policyOf", args: [who] } as const;
  const [policyVersion, recipientsRoot, documentHash] = await soon(chainId, () =>
    batchingClient(chainId).readContract(query),
  );
  return { policyVersion, recipientsRoot, documentHash };
}

/** Record and policy of a holder as of one version: a block may come between two questions. */
async function bothAtLatest(chainId: ChainId, holder: PolicyHolder) {
  for (;;) {
    const [party, onLedger] = await Promise.all([
      partyAtLatest(chainId, holder),
      policyAtLatest(chainId, holder.address),
    ]);
    if (party.record.policyVersion === onLedger.policyVersion) return { party, onLedger };
  }
}

/** The document that an operation's call was made of; null for another call. */
export function setPolicyOf({
  data,
  policyVersion,
}: Pick<Row, "data" | "policyVersion">): AuthorityDocumentOf<"set_policy"> | null {
  const call = callOf(data);
  if (call?.functionName !== "setPolicy" || policyVersion === null) return null;
  const [{ account, ruled, recipientsRoot, documentHash, assets, words, deadline }, signature] = call.args;
  const parsed = AuthorityDocumentSchema.safeParse({
    kind: "set_policy",
    account: account.toLowerCase(),
    ruled,
    recipients_root: recipientsRoot,
    document_hash: documentHash,
    assets: assets.map((asset) => asset.toLowerCase()),
    words: words.map(wordToHex),
    policy_version: policyVersion.toString(),
    deadline: deadline.toString(),
    signature,
  });
  return parsed.success && parsed.data.kind === "set_policy" ? parsed.data : null;
}

/** The signer that an operation's call gives an agent; null when it is about others. */
function newSignerOf({ data }: Row, agent: Address): Address | null {
  const call = callOf(data);
  if (call?.functionName !== "setAgentSigner") return null;
  const [{ agents, signers }] = call.args;
  return signers[agents.findIndex((one) => isAddressEqual(one, agent))] ?? null;
}

function callOf(data: Hex) {
  try {
    return decodeFunctionData({ abi: ledgerAbi, data });
  } catch {
    return null; // no call of the ledger
  }
}
