import { formatEther } from "viem";
import { sql } from "@/db/client";
import { monthsAhead, PARTITIONED_TABLES, type PartitionedTable, readPartitions } from "@/db/partitions";
import { readArchiveAge } from "@/db/read-archive-age";
import type { ChainId } from "@/lib/base/network";
import type { Labels } from "@/lib/base/telemetry/catalogue";
import { gauge } from "@/lib/base/telemetry/record";
import { CHAIN_IDS, publicClient } from "@/lib/chain/clients";
import { GAS_LIMIT } from "@/lib/chain/gas";
import { finalBlock } from "@/lib/chain/index/cursor";
import { ANCHOR_POSITION, relayerAccount, relayerPositions } from "@/lib/chain/relayer";
import { readMismatches } from "@/lib/settlement/read-mismatches";
import { MISMATCHES } from "@/lib/settlement/reconcile-payments";
import { keptBriefly } from "./health/in-time";

/** How long a reading is reused, so that the gauges of one export, and of scrapes close to each other, share it. */
const KEEP_MS = 2_000;
/** A chain that does not respond must not hold up the other metrics. */
const PATIENCE_MS = 2_000;

/**
 * Registers gauges of the service as a whole, which are read from the database and the chains at each export. All
 * workers report the same values, so aggregate them with a maximum.
 */
export function readServiceGauges(): void {
  const open = keptBriefly(readOperations, KEEP_MS);
  gauge("halcyon.operations.pending", async () => {
    const rows = await open();
    return CHAIN_IDS.flatMap((chain) =>
      Object.keys(GAS_LIMIT).map((kind): [number, Labels<"halcyon.operations.pending">] => [
        rows.find((row) => row.chain_id === chain && row.kind === kind)?.pending ?? 0,
        { chain, kind },
      ]),
    );
  });
  gauge("halcyon.operations.oldest", async () => {
    const rows = await open();
    return CHAIN_IDS.map((chain) => [
      Math.max(0, ...rows.filter((row) => row.chain_id === chain).map(({ oldest }) => oldest)),
      { chain },
    ]);
  });

  gauge("halcyon.reconcile.mismatches", async () => {
    const rows = await readMismatches();
    return CHAIN_IDS.flatMap((chain) =>
      MISMATCHES.map((kind): [number, Labels<"halcyon.reconcile.mismatches">] => [
        rows.find((row) => row.chain_id === chain && row.mismatch === kind)?.payments ?? 0,
        { chain, kind },
      ]),
    );
  });

  const lag = new Map(CHAIN_IDS.map((chain) => [chain, keptBriefly(() => readLag(chain), KEEP_MS)]));
  const lagOf = (pick: (lag: Lag) => number) => () => perChain((chain) => lag.get(chain)?.(), pick);
  gauge(
    "halcyon.index.lag",
    lagOf(({ seconds }) => seconds),
  );
  gauge(
    "halcyon.index.lag_blocks",
    lagOf(({ blocks }) => blocks),
  );
  gauge(
    "halcyon.index.halted",
    lagOf(({ halted }) => (halted ? 1 : 0)),
  );

  gauge(
    "halcyon.chain.final_age",
    lagOf(({ finalAge }) => finalAge),
  );

  gauge("halcyon.relayer.balance", async () => {
    const balances = CHAIN_IDS.flatMap((chain) =>
      [ANCHOR_POSITION, ...relayerPositions()].map(
        async (relayer): Promise<[number, { chain: number; relayer: number }]> => {
          const { address } = relayerAccount(chain, relayer);
          return [Number(formatEther(await inTime(publicClient(chain).getBalance({ address })))), { chain, relayer }];
        },
      ),
    );
    return fulfilled(balances);
  });

  gauge("halcyon.audit.anchor_age", () =>
    perChain(
      (chain) => readAnchorAge(chain),
      (seconds) => seconds,
    ),
  );

  gauge("halcyon.database.months_ahead", () =>
    Promise.all(
      PARTITIONED_TABLES.map(async (table): Promise<[number, { table: PartitionedTable }]> => {
        return [monthsAhead(table, await readPartitions(sql(), table), new Date()), { table }];
      }),
    ),
  );

  gauge("halcyon.database.archive_age", async () => {
    const seconds = await readArchiveAge(sql());
    return seconds === undefined ? [] : [[seconds, {}]];
  });

  gauge("halcyon.webhook.waiting", async () => {
    const [row] = await sql()<{ due: number; later: number }[]>`
      select count(*) filter (where due_at <= now())::int as due, count(*) filter (where due_at > now())::int as later
      from webhook_queue`;
    return row
      ? [
          [row.due, { state: "due" }],
          [row.later, { state: "later" }],
        ]
      : [];
  });
}

interface OpenOperations {
  chain_id: number;
  kind: string;
  pending: number;
  oldest: number;
}

function readOperations(): Promise<OpenOperations[]> {
  return sql()<OpenOperations[]>`
    select chain_id, kind, count(*)::int as pending, extract(epoch from now() - min(created_at))::float8 as oldest
    from operations where status = 'pending' group by chain_id, kind`;
}

/**
 * Returns the age in seconds of the newest anchor that is in a block.
 *
 * @throws Error if there is none
 */
async function readAnchorAge(chainId: ChainId): Promise<number> {
  const { address } = relayerAccount(chainId, ANCHOR_POSITION);
  const mined = await inTime(publicClient(chainId).getTransactionCount({ address }));
  const [row] = await sql()<{ age: number }[]>`
    select extract(epoch from now() - created_at)::float8 as age from audit_anchors
    where chain_id = ${chainId} and nonce < ${mined} order by day desc limit 1`;
  if (!row) throw new Error("nothing is anchored yet");
  return Math.max(0, row.age);
}

interface Lag {
  seconds: number;
  blocks: number;
  halted: boolean;
  /** Age of the newest final block, in seconds. */
  finalAge: number;
}

async function readLag(chainId: ChainId): Promise<Lag> {
  // Read the cursor before the head: then the cursor is never ahead of the head.
  const [cursor] = await sql()<{ block: string; seconds: number; halted: boolean }[]>`
    select block_number::text as block, extract(epoch from block_time)::float8 as seconds, halted
    from chain_cursors where chain_id = ${chainId}`;
  if (!cursor) throw new Error("nothing is indexed yet");
  const head = await inTime(finalBlock(chainId));
  const blocks = Math.max(0, Number(head.number - BigInt(cursor.block)));
  const seconds = blocks === 0 ? 0 : Math.max(0, head.time.getTime() / 1000 - cursor.seconds);
  const finalAge = Math.max(0, (Date.now() - head.time.getTime()) / 1000);
  return { seconds, blocks, halted: cursor.halted, finalAge };
}

function perChain<T>(
  read: (chain: ChainId) => Promise<T> | undefined,
  pick: (value: T) => number,
): Promise<[number, { chain: number }][]> {
  return fulfilled(
    CHAIN_IDS.map(async (chain): Promise<[number, { chain: number }]> => {
      const value = await read(chain);
      if (value === undefined) throw new Error("not read");
      return [pick(value), { chain }];
    }),
  );
}

/** Returns the readings that succeeded, so that one unreachable chain does not hide the other. */
async function fulfilled<T>(readings: Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(readings);
  return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no response in time")), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
