import { sql } from "@/db/client";
import { pageOfDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { asOwner } from "@/test/services/as-owner";
import { startLocalDatabase } from "@/test/services/local-database";
import { makeEndpoint } from "@/test/webhooks/endpoint";
import { median, round } from "./measure";

const FEW = 10_000;
const MANY = 10_000_000;
const BATCH = 1_000_000;
const CALLS = 500;

/**
 * Reads pages of an endpoint's deliveries in two tables, with ten million and with ten thousand rows, all of them its
 * own. The calls alternate, so that other load on the machine slows both equally.
 */
export async function run(): Promise<Record<string, unknown>> {
  const database = await startLocalDatabase();
  try {
    const { id } = await makeEndpoint("https://hooks.example.com/");
    for (let from = 0; from < MANY; from += BATCH) await fill(id, from, Math.min(from + BATCH, MANY));
    await asOwner(async (owner) => {
      await owner`create table few (like webhook_deliveries including all)`;
      await owner`insert into few select * from webhook_deliveries order by id limit ${FEW}`;
      await owner`vacuum analyze webhook_deliveries, few`;
    });
    return { first: await compare(id, 0), deep: await compare(id, 1_000), goals: { ratio: "<= 1.2" } };
  } finally {
    await database.stop();
  }
}

/** Compares one page at an offset in both tables: median times, and the number of blocks PostgreSQL read. */
async function compare(webhookId: string, offset: number): Promise<Record<string, unknown>> {
  const { sql: many, params } = pageOfDeliveries(webhookId, { limit: 50, offset }).toSQL();
  const few = many.replaceAll('"webhook_deliveries"', '"few"');
  const page = async (text: string): Promise<number> => {
    const before = performance.now();
    const rows = await sql().unsafe(text, params as string[], { prepare: true });
    if (rows.length !== 51) throw new Error("a page is not full");
    return performance.now() - before;
  };
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let i = 0; i < CALLS; i++) {
    times.few.push(await page(few));
    times.many.push(await page(many));
  }
  return {
    ten_thousand: { ms: round(median(times.few)), blocks: await blocks(few, params) },
    ten_million: { ms: round(median(times.many)), blocks: await blocks(many, params) },
    ratio: round(median(times.many) / median(times.few)),
  };
}

async function blocks(text: string, params: unknown[]): Promise<number> {
  const [row] = await sql().unsafe(`explain (analyze, buffers, format json) ${text}`, params as string[]);
  const { Plan: plan } = row?.["QUERY PLAN"][0] ?? {};
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

/** Inserts deliveries as months of use leave them: nearly all succeeded, one in a hundred exhausted. */
async function fill(webhookId: string, from: number, to: number): Promise<void> {
  await sql()`
    insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, attempt, response_code,
      response_body, duration_ms, attempted_at, due_at, created_at)
    select 'dlv_01K' || lpad(n::text, 23, '0'), ${webhookId}, 'evt_01K' || lpad(n::text, 23, '0'), 'transfer.confirmed',
      'https://hooks.example.com/', 'automatic', case when n % 100 = 0 then 'exhausted' else 'succeeded' end, 1, 200,
      'ok', 12, now(), now(), now()
    from generate_series(${from}::int, ${to - 1}::int) n`;
}
