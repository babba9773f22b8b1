import { Agent, request } from "node:http";
import { closedLoop, round } from "./measure";
import type { Product } from "./product";

const CALLERS = 16;
const CALLS = 4_000;

/** The GET endpoints against `/healthz`, a bare route handler of the same server, in the same run. */
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
  const get = (path: string) => () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(
        `${product.url}${path}`,
        { agent, headers: { authorization: `Bearer ${payer.apiKey}` } },
        (response) => {
          response.resume();
          response.once("end", () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`GET ${path} answered ${response.statusCode}`)),
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
  agent.destroy();
  const ratio = (measured: { perSecond: number }) => round(measured.perSecond / bare.perSecond);
  return {
    bare_handler: bare,
    "GET /v1/transfers/{id}": transfer,
    "GET /v1/transfers": list,
    "GET /v1/accounts/me": account,
    ratios: { get_transfer: ratio(transfer), list_transfers: ratio(list), account: ratio(account) },
    goals: { get_transfer: ">= 0.5" },
  };
}
