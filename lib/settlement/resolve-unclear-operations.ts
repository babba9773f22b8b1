import { and, eq, inArray, lt, or, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import { db, type Tx } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { availableStates } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { tryChainLock } from "@/lib/chain/advisory-lock";
import { askLedger } from "@/lib/chain/ask/ask-ledger";
import type { AskedOperation } from "@/lib/chain/ask/asked-operation";
import type { Finding } from "@/lib/chain/ask/finding";
import { type CursorRow, markOf, readIndexCursor, reindexSoon } from "@/lib/chain/index/cursor";
import { failOperations } from "./fail-operations";
import { confirmOperations } from "./settle-operations";

/** How many operations are judged at once; the others wait for the next round. */
const AT_ONCE = 100;
/**
 * How often in a row the index must lack an event before it is rebuilt. A single wrong response must not cause that.
 */
const MISSED_IN_A_ROW = 3;

const TOLD_OTHERWISE = new Set<AskedOperation["kind"]>(["deposit", "mint", "return_unclaimed", "gas"]);

/** Operations whose state on the ledger is not clear yet. After a restart their deadlines bring them back. */
const unclear = new Map<ChainId, readonly string[]>();
const missed = new Map<ChainId, number>();

/**
 * Ends operations that seem to be over: `doubtful` ones, overtaken by a final commitment, and those whose deadline is
 * before the newest indexed block. None fails before the ledger itself was asked at that block, and those that turn out
 * to be carried out are confirmed. Unclear ones stay pending and are checked again.
 *
 * @returns whether nothing is left to check
 */
export async function resolveUnclearOperations(chainId: ChainId, doubtful: readonly string[]): Promise<boolean> {
  const cursor = await db().transaction((tx) => readIndexCursor(tx, chainId));
  if (!cursor) return true;
  const seemOver = [...new Set([...doubtful, ...(unclear.get(chainId) ?? [])])];
  const asked = await withDependents(await openOperations(chainId, seemOver, cursor));
  unclear.set(
    chainId,
    asked.flatMap(({ id }) => (seemOver.includes(id) ? [id] : [])),
  );
  if (asked.length === 0) return true;
  const at = markOf(cursor);
  const findings = new Map<string, Finding>();
  await Promise.all(
    asked.map(async (operation) => {
      const unanswered = (error: unknown): Finding => {
        log().warn({ err: error, chainId, operationId: operation.id }, "the chain does not show the outcome yet");
        return { outcome: "unsure" };
      };
      findings.set(operation.id, await askLedger(chainId, operation, at).catch(unanswered));
    }),
  );
  await db().transaction(async (tx) => {
    // The ledger's responses are about this block.
    if (!(await tryChainLock(tx, "index", chainId))) return;
    if ((await readIndexCursor(tx, chainId))?.blockHash !== cursor.blockHash) return;
    await conclude(tx, chainId, asked, findings);
  });
  // Look again at once: what was concluded is no longer open.
  return false;
}

async function conclude(tx: Tx, chainId: ChainId, asked: readonly Candidate[], findings: Map<string, Finding>) {
  const now = new Date();
  const outcome = (id: string) => findings.get(id)?.outcome;
  const executed = asked.flatMap(({ id }) => {
    const finding = findings.get(id);
    return finding?.outcome === "executed" ? [{ operationId: id, txHash: finding.txHash }] : [];
  });
  await confirmOperations(tx, chainId, executed, now);
  const unseen = ({ id, kind }: Candidate) => {
    const finding = findings.get(id);
    return finding?.outcome === "executed" && !finding.indexed && !TOLD_OTHERWISE.has(kind);
  };
  // A complete index has the events of all of them, except for a deposit that a third party submitted.
  if (asked.some(unseen)) {
    log().error({ chainId }, "the index lacks an event of the ledger: reading it again");
    await reindexSoon(tx, chainId);
  }
  await noteMissed(
    tx,
    chainId,
    asked.some(({ id }) => outcome(id) === "missed"),
  );
  // An operation fails together with everything that builds on it, so the ledger must confirm for all of them that they
  // did not happen.
  const never = asked.filter(
    ({ id, over, dependents }) => over && [id, ...dependents].every((one) => outcome(one) === "never"),
  );
  await failOperations(
    tx,
    never.map(({ id }) => id),
    now,
  );
}

async function noteMissed(tx: Tx, chainId: ChainId, lacking: boolean): Promise<void> {
  const times = lacking ? (missed.get(chainId) ?? 0) + 1 : 0;
  missed.set(chainId, times);
  if (times < MISSED_IN_A_ROW) return;
  missed.delete(chainId);
  log().error({ chainId }, "the index lacks data of the ledger: reading it again");
  await reindexSoon(tx, chainId);
}

interface Candidate extends AskedOperation {
  /** Its deadline has passed or its available balance has moved on. Otherwise it is checked for another reason. */
  over: boolean;
  /** Pending operations whose available balances build on its own, directly or indirectly. */
  dependents: string[];
}

const ASKED = { id: operations.id, kind: operations.kind, account: operations.account, data: operations.data };

type Open = AskedOperation & Pick<Candidate, "over">;

async function openOperations(chainId: ChainId, doubtful: readonly string[], cursor: CursorRow): Promise<Open[]> {
  const rows = await db()
    .select({ ...ASKED, deadline: operations.deadline })
    .from(operations)
    .where(
      and(
        eq(operations.chainId, chainId),
        eq(operations.status, "pending"),
        or(lt(operations.deadline, cursor.blockTime), anyOf(operations.id, doubtful)),
      ),
    )
    .orderBy(operations.createdAt)
    .limit(AT_ONCE);
  // A deposit without a passed deadline is checked only because its account was credited, possibly by another deposit.
  return rows.map(({ deadline, ...row }) => ({ ...row, over: deadline < cursor.blockTime || row.kind !== "deposit" }));
}

async function withDependents(over: readonly Open[]): Promise<Candidate[]> {
  if (over.length === 0) return [];
  const rows = await db().execute<{ root: string; dependent: string }>(sql`
    with recursive built(root, operation_id) as (
      select o.id, o.id from ${operations} o where ${inArray(
        sql`o.id`,
        over.map(({ id }) => id),
      )}
      union
      select built.root, later.operation_id from built
      join ${availableStates} state on state.operation_id = built.operation_id
      join ${availableStates} later on later.chain_id = state.chain_id and later.account = state.account
        and later.asset = state.asset and later.old_commitment = state.commitment and later.status = 'pending'
      where later.operation_id is not null
    )
    select root, operation_id as dependent from built where root <> operation_id`);
  const dependents = new Map(over.map(({ id }) => [id, [] as string[]]));
  for (const { root, dependent } of rows) dependents.get(root)?.push(dependent);
  const known = new Set(over.map(({ id }) => id));
  const others = [...new Set(rows.map(({ dependent }) => dependent))].filter((id) => !known.has(id));
  const built =
    others.length === 0 ? [] : await db().select(ASKED).from(operations).where(anyOf(operations.id, others));
  return [
    ...over.map((one) => ({ ...one, dependents: dependents.get(one.id) ?? [] })),
    ...built.map((one) => ({ ...one, over: false, dependents: [] })),
  ];
}
