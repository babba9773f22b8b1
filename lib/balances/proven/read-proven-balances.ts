import { and, count, eq, inArray } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { availableCommitments, chainCursors, depositedBalances, notes } from "@/db/schema/ledger";
import { UNSPENT } from "@/lib/balances/available";
import { type Asset, assetsOf } from "@/lib/base/assets";
import { clocksOf } from "@/lib/base/clock";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { formatAmount } from "@/lib/base/money";
import type { ChainId } from "@/lib/base/network";
import { scopeOf } from "@/lib/chain/scope-of";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { InvalidDecryptionProof } from "@/lib/ledger/crypto/errors";
import { balanceSignals } from "@/lib/ledger/decryption-proof";
import {
  type DecryptionProof,
  decodeDecryptionProof,
  isOutOfTime,
  namedHoldings,
} from "@/lib/ledger/decryption-proof-document";
import { processProver } from "@/lib/prover/process-prover";

/** The amounts that a decryption proof shows, and how many unspent notes, of all assets, it leaves out. */
export interface ProvenBalances {
  balances: { asset: Asset["symbol"]; amount: string }[];
  undecrypted_notes: number;
}

function invalidProof(why = "does not match the account's current balances", clocks = ""): ApiError {
  const message = `The proof ${why}. Create a new one.${clocks}`;
  return new ApiError("decryption_proof_invalid", message, { param: "decryption_proof" });
}

/**
 * Checks a `decryption_proof` against the index of final blocks, and adds the deposited money. Every note it names must
 * be unspent and the account's, every available balance commitment must be the asset's current one, no available
 * balance may be left out, and every Balance proof must verify.
 *
 * @throws ApiError `decryption_proof_invalid`
 */
export async function readProvenBalances(ctx: Context, text: string): Promise<ProvenBalances> {
  const { document, holdings } = decode(text);
  if (document.account !== ctx.account.address) throw invalidProof();
  const assets = assetsOf(ctx.chainId);
  if (holdings.some(({ asset }) => !assets.some(({ address }) => address === asset))) throw invalidProof();
  const config = { isolationLevel: "repeatable read", accessMode: "read only" } as const;
  const balances = await db().transaction(async (tx) => {
    const [cursor] = await tx.select().from(chainCursors).where(eq(chainCursors.chainId, ctx.chainId));
    if (!cursor || BigInt(document.block) > cursor.blockNumber) throw invalidProof();
    const commitments = await wordsOf(tx, ctx);
    // A note that is left out is reported as unopened, but leaving out an available balance would hide money.
    for (const [asset, commitment] of commitments) {
      if (commitment !== EMPTY_AVAILABLE_HEX && !holdings.some((holding) => holding.asset === asset))
        throw invalidProof();
    }
    for (const holding of holdings) await checkHolding(tx, ctx, holding, commitments);
    return sumUp(tx, ctx, holdings);
  }, config);
  await checkProofs(ctx.chainId, document);
  return balances;
}

function decode(text: string) {
  try {
    const document = decodeDecryptionProof(text);
    const now = new Date();
    const seconds = BigInt(Math.floor(now.getTime() / 1000));
    if (isOutOfTime(document, seconds)) {
      throw invalidProof("is not of the last ten minutes", clocksOf(new Date(Number(document.issued_at) * 1000), now));
    }
    return { document, holdings: namedHoldings(document, seconds) };
  } catch (error) {
    throw error instanceof InvalidDecryptionProof ? invalidProof() : error;
  }
}

interface Holding {
  asset: Address;
  notes: Hex[];
  available: Hex;
  total: bigint;
}

/** Returns the account's available balance commitments on chain by asset, for the assets that the service offers. */
async function wordsOf(tx: Tx, { chainId, account }: Context): Promise<Map<Address, Hex>> {
  const offered = assetsOf(chainId).map(({ address }) => address);
  const rows = await tx
    .select({ asset: availableCommitments.asset, commitment: availableCommitments.commitment })
    .from(availableCommitments)
    .where(
      and(
        eq(availableCommitments.chainId, chainId),
        eq(availableCommitments.account, account.address),
        inArray(availableCommitments.asset, offered),
      ),
    );
  return new Map(rows.map(({ asset, commitment }) => [asset, commitment]));
}

async function checkHolding(
  tx: Tx,
  { chainId, account }: Context,
  { asset, notes: named, available }: Holding,
  commitments: ReadonlyMap<Address, Hex>,
) {
  if ((commitments.get(asset) ?? EMPTY_AVAILABLE_HEX) !== available) throw invalidProof();
  if (named.length === 0) return;
  const [open] = await tx
    .select({ count: count() })
    .from(notes)
    .where(
      and(
        eq(notes.chainId, chainId),
        eq(notes.account, account.address),
        eq(notes.asset, asset),
        UNSPENT,
        inArray(notes.note, named),
      ),
    );
  if (open?.count !== named.length) throw invalidProof();
}

async function sumUp(tx: Tx, { chainId, account }: Context, holdings: readonly Holding[]): Promise<ProvenBalances> {
  const held = await tx
    .select({ asset: depositedBalances.asset, units: depositedBalances.units })
    .from(depositedBalances)
    .where(and(eq(depositedBalances.chainId, chainId), eq(depositedBalances.account, account.address)));
  const [open] = await tx
    .select({ count: count() })
    .from(notes)
    .where(and(eq(notes.chainId, chainId), eq(notes.account, account.address), UNSPENT));
  const balances = assetsOf(chainId).flatMap((asset) => {
    const holding = holdings.find((candidate) => candidate.asset === asset.address);
    const deposited = held.find((candidate) => candidate.asset === asset.address);
    if (!holding && !deposited) return [];
    const units = (holding?.total ?? 0n) + (deposited?.units ?? 0n);
    return [{ asset: asset.symbol, amount: formatAmount(units, asset.decimals) }];
  });
  const named = holdings.reduce((sum, { notes: commitments }) => sum + commitments.length, 0);
  return { balances, undecrypted_notes: (open?.count ?? 0) - named };
}

async function checkProofs(chainId: ChainId, document: DecryptionProof): Promise<void> {
  const scope = await scopeOf(chainId);
  const prover = await processProver();
  for (const entry of document.proofs) {
    if (!(await prover.verify("balance", entry.proof, balanceSignals(scope, document, entry)))) throw invalidProof();
  }
}
