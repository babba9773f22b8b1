/*
 * The hostile account of bench/fairness.ts, in a separate process, so that its client-side cost doesn't slow the
 * measuring process. Reads one `Flood` in JSON, calls the service as fast as it can until its input ends, and prints
 * the number of responses by status.
 */
import { Agent, request } from "undici";
import type { Flood } from "./fairness";

/** Number of callers of each kind. */
const CALLERS_OF_A_KIND = 16;

const answered: Record<string, number> = {};
let stopped = false;

async function flood({ url, apiKey, agents }: Flood): Promise<void> {
  const dispatcher = new Agent({ connections: 3 * CALLERS_OF_A_KIND });
  const ask = async (method: "GET" | "POST" | "PATCH", path: string, body?: object) => {
    const response = await request(`${url}${path}`, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${apiKey}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.body.dump();
    answered[response.statusCode] = (answered[response.statusCode] ?? 0) + 1;
  };
  const kinds: ((turn: number) => Promise<void>)[] = [
    (turn) => ask("POST", "/v1/transfers", { to: "@demo", amount: "0.01", from: agents[turn % agents.length]?.handle }),
    () => ask("GET", "/v1/transfers?limit=100"),
    (turn) =>
      ask("PATCH", `/v1/agents/${agents[turn % agents.length]?.id}/spend-policy`, {
        daily_limit_usdg: 900_000 + (turn % 1_000),
      }),
  ];
  const callers = kinds.flatMap((kind) =>
    Array.from({ length: CALLERS_OF_A_KIND }, async (_, worker) => {
      for (let turn = worker; !stopped; turn++) await kind(turn);
    }),
  );
  await Promise.all(callers);
  await dispatcher.close();
}

let flooding: Promise<void> | undefined;
process.stdin.setEncoding("utf8");
process.stdin.on("data", (line: string) => {
  flooding ??= flood(JSON.parse(line) as Flood);
});
process.stdin.on("end", async () => {
  stopped = true;
  await flooding;
  console.log(JSON.stringify(answered));
});
