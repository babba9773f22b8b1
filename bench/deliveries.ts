import { sql } from "@/db/client";
import { makeEndpoint } from "@/lib/webhooks/endpoint.fixture";
import { listDeliveries, pageOfDeliveries } from "@/lib/webhooks/list-deliveries";
import { startLocalDatabase } from "@/scripts/testing/local-database";
import { median, round } from "./measure";

const FEW = 10_000;
const MANY = 10_000_000;
const BATCH = 1_000_000;
const CALLS = 500;

/** The page of an endpoint's deliveries with ten thousand rows in the table and with ten million, all of them its own. */
export async function run(): Promise<Record<string, unknown>> {
  const database = await startLocalDatabase();
  try {
    const { id, ctx } = await makeEndpoint("https://hooks.example.com/");
    const page = async (offset: number): Promise<Page> => {
      const query = { limit: 50, offset };
      const [times, empty]: [number[], number[]] = [[], []];
      // In turn with a statement that does nothing, so that what else the machine does slows both alike.
      for (let i = 0; i < CALLS; i++) {
        times.push(
          await timed(async () => {
            const { deliveries } = await listDeliveries(ctx, id, query);
            if (deliveries.length !== query.limit) throw new Error("a page is not full");
          }),
        );
        empty.push(await timed(() => sql()`select 1`));
      }
      const { sql: text, params } = pageOfDeliveries(id, query).toSQL();
      const plan = await sql().unsafe(`explain (analyze, buffers, format json) ${text}`, params as string[]);
      const buffers = plan[0]?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
      return { ms: round(median(times)), statement_ms: round(median(empty)), buffers };
    };
    await fill(id, 0, FEW);
    const few = { first: await page(0), deep: await page(1_000) };
    for (let from = FEW; from < MANY; from += BATCH) await fill(id, from, Math.min(from + BATCH, MANY));
    const many = { first: await page(0), deep: await page(1_000) };
    const relative = ({ ms, statement_ms: statement }: Page) => ms / statement;
    const ratio = (place: "first" | "deep") => round(relative(many[place]) / relative(few[place]));
    const ratios = { first: ratio("first"), deep: ratio("deep") };
    return { ten_thousand: few, ten_million: many, ratios, goals: { ratios: "<= 1.2" } };
  } finally {
    await database.stop();
  }
}

/** A page's median time, that of an empty statement beside it, and how many blocks PostgreSQL looked at. */
interface Page {
  ms: number;
  statement_ms: number;
  buffers: number;
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await call();
  return performance.now() - before;
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
