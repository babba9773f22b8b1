import { sql } from "@/db/client";
import { makeEndpoint } from "@/lib/webhooks/endpoint.fixture";
import { listDeliveries } from "@/lib/webhooks/list-deliveries";
import { startLocalDatabase } from "@/scripts/testing/local-database";
import { closedLoop, type Measured, round } from "./measure";

const FEW = 10_000;
const MANY = 10_000_000;
const BATCH = 1_000_000;
const CALLS = 1_000;

/** The page of an endpoint's deliveries with ten thousand rows in the table and with ten million, all of them its own. */
export async function run(): Promise<Record<string, unknown>> {
  const database = await startLocalDatabase();
  try {
    const { id, ctx } = await makeEndpoint("https://hooks.example.com/");
    const page = (offset: number): Promise<Measured> => {
      const call = async () => {
        const { deliveries } = await listDeliveries(ctx, id, { limit: 50, offset });
        if (deliveries.length !== 50) throw new Error("a page is not full");
      };
      return closedLoop(1, 100, call).then(() => closedLoop(1, CALLS, call));
    };
    await fill(id, 0, FEW);
    const few = { first: await page(0), deep: await page(1_000) };
    for (let from = FEW; from < MANY; from += BATCH) await fill(id, from, Math.min(from + BATCH, MANY));
    const many = { first: await page(0), deep: await page(1_000) };
    const ratios = { first: round(many.first.p50 / few.first.p50), deep: round(many.deep.p50 / few.deep.p50) };
    return { ten_thousand: few, ten_million: many, ratios, goals: { ratios: "<= 1.2" } };
  } finally {
    await database.stop();
  }
}

/** Deliveries as months leave them: nearly all arrived, one in a hundred given up. */
async function fill(webhookId: string, from: number, to: number): Promise<void> {
  await sql()`
    insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, attempt, response_code,
      response_body, duration_ms, attempted_at, due_at, created_at)
    select 'dlv_01K' || lpad(n::text, 23, '0'), ${webhookId}, 'evt_01K' || lpad(n::text, 23, '0'), 'transfer.confirmed',
      'https://hooks.example.com/', 'automatic', case when n % 100 = 0 then 'exhausted' else 'succeeded' end, 1, 200,
      'ok', 12, now(), now(), now()
    from generate_series(${from}::int, ${to - 1}::int) n`;
  await sql()`vacuum analyze webhook_deliveries`;
}
