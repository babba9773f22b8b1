/*
 * The callers of the load bench, in a separate process so that they don't use the measuring process's CPU. They call
 * again after each response, whatever it is, until standard input ends. They print a line at the first response, and
 * one with what they saw at the end.
 */
import { Agent, request } from "node:http";
import type { Readable, Writable } from "node:stream";
import { quantile, round } from "./measure";

/** What a group of callers does. */
export interface Calls {
  name: string;
  url: string;
  method: "GET" | "POST";
  apiKey?: string;
  headers?: Record<string, string>;
  body?: object;
  /** In place of a body: one of so many bytes, of lists inside each other. */
  nested?: number;
  /** Sends its body, or reads the response, a little a second, and never to the end. */
  slow?: "body" | "reader";
  callers: number;
}

/** What a group saw: the number of responses by status, and milliseconds of the successful ones. */
export interface Seen {
  statuses: Record<number, number>;
  p50: number | null;
  p99: number | null;
  perSecond: number;
}

/** How much a slow caller sends or reads, in bytes, and how often, in milliseconds. */
const TRICKLE = 16;
const TRICKLE_MS = 1_000;

const agents: Agent[] = [];
const calls = JSON.parse(process.argv[2] ?? "[]") as Calls[];
let stopped = false;
let isUnderWay = false;

/** How long responses may still take after the end, in milliseconds. Streams have none. */
const GRACE_MS = 3_000;
const started = performance.now();
const everyone = Promise.all(calls.map(callUntilStopped));
process.stdin.resume().once("end", async () => {
  stopped = true;
  setTimeout(() => {
    for (const agent of agents) agent.destroy();
  }, GRACE_MS);
  console.log(JSON.stringify(Object.fromEntries(await everyone)));
  process.exit(0);
});

function begin(): void {
  if (!isUnderWay) console.log("under way");
  isUnderWay = true;
}

/** Does a little every now and then, until its connection ends or the caller has to stop. */
function trickle(connection: Readable | Writable, step: () => void): void {
  const timer = setInterval(() => {
    if (stopped) connection.destroy();
    else step();
  }, TRICKLE_MS);
  connection.once("close", () => clearInterval(timer));
}

async function callUntilStopped(group: Calls): Promise<[string, Seen]> {
  const { name, url, method, apiKey, headers, body, nested, slow, callers } = group;
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  agents.push(agent);
  const statuses: Record<number, number> = {};
  const served: number[] = [];
  const text = nested === undefined ? body && JSON.stringify(body) : "[".repeat(nested / 2) + "]".repeat(nested / 2);
  const all = {
    ...headers,
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(text !== undefined && { "content-length": text.length }),
  };
  const call = () =>
    new Promise<number>((resolve) => {
      const sent = request(url, { method, agent, headers: all }, (response) => {
        begin();
        response.once("close", () => {
          resolve(response.statusCode ?? 0);
          // A body that is not wanted any more is not sent to its end.
          if (slow === "body") sent.destroy();
        });
        if (slow === "reader") trickle(response, () => response.read(TRICKLE));
        else response.resume();
      });
      // The server closed the connection.
      sent.once("error", () => resolve(0));
      if (slow !== "body" || text === undefined) return sent.end(text);
      let at = 0;
      trickle(sent, () => {
        begin();
        sent.write(text.slice(at, at + TRICKLE));
        at += TRICKLE;
      });
    });
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (!stopped) {
        const before = performance.now();
        const status = await call();
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 200 && status < 300) served.push(performance.now() - before);
      }
    }),
  );
  const at = (q: number) => (served.length > 0 ? round(quantile(served, q)) : null);
  const perSecond = round((served.length * 1_000) / (performance.now() - started));
  return [name, { statuses, p50: at(0.5), p99: at(0.99), perSecond }];
}
