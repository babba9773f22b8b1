import { and, asc, eq, inArray } from "drizzle-orm";
import { type Address, decodeFunctionData, type Hex, isAddressEqual } from "viem";
import type { Tx } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { batchingClient, chainEnv } from "@/lib/chain/clients";
import type { ChainScope } from "@/lib/chain/scope-of";
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

type Row = Pick<typeof operations.$inferSelect, "id" | "kind" | "account" | "data" | "policyVersion">;

/**
 * Reads a holder's policy and signers: the ledger's, and what is under way. Under the holder's lock nothing is added
 * meanwhile. A row is only believed as far as what is signed in it goes.
 */
export async function policyUnderWay(
  tx: Pick<Tx, "select">,
  scope: ChainScope,
  holder: PolicyHolder,
): Promise<PolicyUnderWay> {
  // The rows come first: what gets into a block afterwards is found there, or here.
  const rows = await tx
    .select({
      id: operations.id,
      kind: operations.kind,
      account: operations.account,
      data: operations.data,
      policyVersion: operations.policyVersion,
    })
    .from(operations)
    .where(
      and(
        eq(operations.chainId, scope.chainId),
        inArray(operations.account, [holder.address, holder.rootAddress]),
        eq(operations.status, "pending"),
        inArray(operations.kind, ["set_policy", "set_agent_signer"]),
      ),
    )
    .orderBy(asc(operations.createdAt), asc(operations.id));
  if (rows.length === 0) {
    const onLedger = await policyAtLatest(scope.chainId, holder.address);
    return { onLedger, policyVersion: onLedger.policyVersion, setPolicy: null, follows: [] };
  }
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
  const [policyVersion, recipientsRoot, documentHash] = await batchingClient(chainId).readContract(query);
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
