import { Agent, request } from "node:http";
import { startWeb } from "@/scripts/testing/start-web";
import { closedLoop, median, round, sideBySide } from "./measure";
import type { Product } from "./product";

const CALLERS = 16;
const CALLS = 4_000;

const ROUNDS = 9;
const ROUND_MS = 4_000;

/** The GET endpoints against `/healthz`, a bare route handler of the same server, in the same run; and what rate limits cost them. */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const [payer] = await product.payers(1);
  if (!payer) throw new Error("no account");
  const created = await fetch(`${product.url}/v1/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${payer.apiKey}` },
    body: JSON.stringify({ to: "@demo", amount: "1" }),
  });
  const { transfer_id: id } = (await created.json()) as { transfer_id: string };

  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const get =
    (path: string, url = product.url) =>
    () =>
      new Promise<void>((resolve, reject) => {
        const sent = request(
          `${url}${path}`,
          { agent, headers: { authorization: `Bearer ${payer.apiKey}` } },
          (response) => {
            response.resume();
            response.once("end", () =>
              response.statusCode === 200
                ? resolve()
                : reject(new Error(`GET ${path} answered ${response.statusCode}`)),
            );
          },
        );
        sent.once("error", reject);
        sent.end();
      });
  const measure = async (path: string) => {
    await closedLoop(CALLERS, 500, get(path));
    return closedLoop(CALLERS, CALLS, get(path));
  };

  const bare = await measure("/healthz");
  const transfer = await measure(`/v1/transfers/${id}`);
  const list = await measure("/v1/transfers");
  const account = await measure("/v1/accounts/me");
  const limits = await costOfLimits((url) => get(`/v1/transfers/${id}`, url));
  agent.destroy();
  const ratio = (measured: { perSecond: number }) => round(measured.perSecond / bare.perSecond);
  return {
    bare_handler: bare,
    "GET /v1/transfers/{id}": transfer,
    "GET /v1/transfers": list,
    "GET /v1/accounts/me": account,
    ratios: { get_transfer: ratio(transfer), list_transfers: ratio(list), account: ratio(account) },
    rate_limits: limits,
    goals: { get_transfer: ">= 0.5", rate_limits: ">= 0.9 of the reads without" },
  };
}

/**
 * Reads with rate limits over reads without: medians of rounds in which web processes that differ in nothing else serve
 * side by side. Buckets of 20 have slices of one token: every request asks them, as it is for a key that calls less than
 * once a second.
 */
async function costOfLimits(get: (url: string) => () => Promise<void>): Promise<Record<string, unknown>> {
  const webs = {
    without: await startWeb({ RATE_LIMIT_PER_SECOND: "0" }),
    shared: await startWeb({}),
    every_time: await startWeb({ RATE_LIMIT_BURST: "20" }),
  };
  const { without, shared, every_time } = webs;
  const calls = { without: get(without.url), shared: get(shared.url), every_time: get(every_time.url) };
  const served: Record<keyof typeof webs, number>[] = [];
  try {
    // Each loads and compiles the route before anything counts.
    await sideBySide(calls, CALLERS / 2, ROUND_MS);
    for (let turn = 0; turn < ROUNDS; turn++) served.push(await sideBySide(calls, CALLERS / 2, ROUND_MS));
  } finally {
    await Promise.all(Object.values(webs).map((web) => web.stop()));
  }
  const over = (name: keyof typeof webs) => round(median(served.map((one) => one[name] / one.without)));
  return { served, ratio: over("shared"), ratio_when_every_request_asks: over("every_time") };
}
